// An optional tone when something needs a person. Off until switched on; a browser allows it only after a touch or key.

let audio = null;
const TONES = { critical: [880, 660, 880], alert: [740, 740], warn: [560], info: [440] };
const TONE_S = 0.16;

export const isOn = () => localStorage.getItem("sound") === "on";

export function setSound(on) {
  localStorage.setItem("sound", on ? "on" : "off");
  if (on) play("warn");
}

export function play(severity) {
  if (!isOn() || navigator.userActivation?.hasBeenActive === false) return;
  audio ??= new AudioContext();
  audio.resume();
  TONES[severity].forEach((pitch, i) => {
    const at = audio.currentTime + i * (TONE_S + 0.05);
    const tone = audio.createOscillator();
    const loudness = audio.createGain();
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(0.2, at);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + TONE_S);
    tone.connect(loudness).connect(audio.destination);
    tone.start(at);
    tone.stop(at + TONE_S);
  });
}
