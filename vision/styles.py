"""The index styles that pictures are drawn in, for training and for the simulated camera.

A name says what the style looks like: weight and width, letters, height of the rank, corners, and what sets it apart.
Styles that must stay unseen by any training stand in `tests/vision/held_out_styles.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from vision.index_strokes import ROMAN
from vision.index_style import DEEP, FOUR_COLOUR, GREY_JOKER, WARM, IndexStyle, JokerIndex
from vision.suit_shapes import PLUMP, SPREAD, STRAIGHT

_HORIZONTAL: Final = JokerIndex.HORIZONTAL
_VERTICAL: Final = JokerIndex.VERTICAL
_STACKED: Final = JokerIndex.STACKED
_CHINESE: Final = JokerIndex.CHINESE
_STAR: Final = JokerIndex.STAR
_FIGURE: Final = JokerIndex.FIGURE

_SERIF: Final = IndexStyle(
    "serif",
    letters=ROMAN,
    contrast=0.42,
    stress=8,
    squareness=2.2,
    serif=0.07,
    weight=0.15,
    squeeze=0.66,
    ten_width=1.3,
)

# fmt: off
STYLES: Final[tuple[IndexStyle, ...]] = (
    IndexStyle("thin-sans-5mm-two-corner", rank_height=5.0, weight=0.09, suit_height=3.6, gap=0.8, joker=_HORIZONTAL,
        joker_height=2.4),
    IndexStyle("plain-sans-5mm-two-corner", rank_height=5.5, weight=0.14, suit_height=4.0, gap=0.7, suits=STRAIGHT,
        joker=_VERTICAL, joker_height=3.0, alternates="1J"),
    replace(_SERIF, name="thin-serif-5mm-two-corner", rank_height=5.5, weight=0.11, suit_height=4.2, gap=0.8,
        suits=SPREAD, joker=_STACKED, joker_height=2.8),
    IndexStyle("bold-sans-6mm-two-corner", rank_height=6.0, weight=0.21, squeeze=0.7, suit_height=4.5, suits=PLUMP,
        joker=_FIGURE, inks=WARM),
    replace(_SERIF, name="thin-serif-6mm-four-corner", rank_height=6.0, weight=0.11, suit_height=4.2, corners=4,
        joker=_STAR, alternates="37"),
    IndexStyle("condensed-sans-6mm-two-corner", rank_height=6.5, squeeze=0.46, weight=0.13, suit_height=4.4,
        joker=_VERTICAL, joker_height=2.8, alternates="469"),
    replace(_SERIF, name="plain-serif-7mm-two-corner", rank_height=7.0, suit_height=5.0, joker=_STACKED,
        joker_height=3.6),
    IndexStyle("plain-sans-7mm-four-corner", rank_height=7.0, suit_height=5.0, corners=4, joker=_HORIZONTAL,
        joker_height=2.6, suits=STRAIGHT, alternates="1"),
    replace(_SERIF, name="condensed-serif-7mm-two-corner", rank_height=7.5, squeeze=0.5, weight=0.14, suit_height=4.8,
        joker=_VERTICAL, joker_height=3.6, inks=DEEP),
    replace(_SERIF, name="bold-serif-7mm-two-corner", rank_height=7.5, weight=0.2, squeeze=0.74, suit_height=5.2,
        suits=PLUMP, joker=_FIGURE),
    IndexStyle("light-round-sans-7mm-two-corner", rank_height=7.0, weight=0.1, squareness=2, contrast=1.0,
        suit_height=5.0, suits=SPREAD, joker=_STAR, alternates="37J"),
    replace(_SERIF, name="thin-serif-8mm-two-corner", rank_height=8.0, weight=0.1, contrast=0.5, suit_height=5.2,
        suits=SPREAD, joker=_STACKED, joker_height=4.0),
    replace(_SERIF, name="plain-serif-8mm-two-corner", rank_height=8.4, suit_height=5.6, joker=_STACKED,
        joker_height=4.2, alternates="2"),
    replace(_SERIF, name="plain-serif-8mm-four-corner", rank_height=8.0, suit_height=5.0, corners=4,
        joker=_HORIZONTAL, joker_height=3.0, suits=STRAIGHT, alternates="3467"),
    IndexStyle("plain-sans-8mm-two-corner", rank_height=8.5, suit_height=5.6, joker=_HORIZONTAL, joker_height=3.6),
    IndexStyle("plain-sans-8mm-four-colour", rank_height=8.0, weight=0.16, squeeze=0.7, suit_height=6.2,
        inks=FOUR_COLOUR, suits=STRAIGHT, joker=_STACKED, joker_height=4.2, alternates="12469AJ"),
    IndexStyle("slanted-sans-8mm-two-corner", rank_height=8.0, slant=12, suit_height=5.2, joker=_VERTICAL,
        joker_height=4.0, alternates="269"),
    replace(_SERIF, name="slanted-serif-8mm-two-corner", rank_height=8.0, slant=14, weight=0.13, suit_height=5.0,
        suits=SPREAD, joker=_HORIZONTAL, joker_height=3.2),
    replace(_SERIF, name="slab-serif-8mm-two-corner", rank_height=8.0, contrast=0.9, stress=0, squareness=5,
        weight=0.12, suit_height=5.2, joker=_STACKED, joker_height=4.0, alternates="47"),
    IndexStyle("condensed-sans-8mm-two-corner", rank_height=8.5, squeeze=0.42, weight=0.13, suit_height=5.0,
        suits=STRAIGHT, joker=_CHINESE, joker_height=3.6, inks=GREY_JOKER),
    IndexStyle("bold-condensed-sans-9mm-two-corner", rank_height=9.0, squeeze=0.5, weight=0.19, suit_height=6.2,
        suits=STRAIGHT, joker=_VERTICAL, joker_height=5.0, squareness=5),
    IndexStyle("bold-condensed-sans-10mm-grey-joker", rank_height=10.0, squeeze=0.5, weight=0.18, suit_height=7.0,
        joker=_VERTICAL, joker_height=5.4, inks=GREY_JOKER, squareness=4, alternates="1J"),
    IndexStyle("bold-condensed-sans-10mm-chinese-joker", rank_height=10.0, squeeze=0.52, weight=0.18, suit_height=6.5,
        suits=PLUMP, joker=_CHINESE, joker_height=5.0, alternates="3"),
    IndexStyle("heavy-condensed-sans-11mm-two-corner", rank_height=11.0, squeeze=0.52, weight=0.2, suit_height=7.5,
        suits=PLUMP, joker=_STACKED, joker_height=5.6, squareness=5, alternates="4"),
    IndexStyle("thin-condensed-sans-10mm-two-corner", rank_height=10.0, squeeze=0.42, weight=0.08, suit_height=6.0,
        suits=SPREAD, joker=_STACKED, joker_height=4.6),
    IndexStyle("thin-wide-sans-8mm-two-corner", rank_height=8.0, squeeze=0.85, weight=0.08, ten_width=1.2,
        suit_height=5.0, joker=_FIGURE, alternates="6JQ9"),
    replace(_SERIF, name="wide-serif-8mm-deep-inks", rank_height=8.0, squeeze=0.85, weight=0.16, ten_width=1.2,
        suit_height=5.6, inks=DEEP, joker=_STAR),
    IndexStyle("bold-sans-9mm-two-corner", rank_height=9.0, weight=0.2, squeeze=0.7, suit_height=6.0,
        joker=_HORIZONTAL, joker_height=3.6, suits=PLUMP, alternates="A"),
    IndexStyle("bold-sans-9mm-four-corner", rank_height=9.0, weight=0.2, squeeze=0.62, suit_height=6.0, corners=4,
        joker=_STACKED, joker_height=4.0, margin_x=2.0, alternates="37"),
    replace(_SERIF, name="bold-serif-10mm-two-corner", rank_height=10.0, weight=0.2, squeeze=0.7, suit_height=6.4,
        joker=_VERTICAL, joker_height=5.0, inks=WARM),
    IndexStyle("sans-9mm-suit-beside", rank_height=9.0, weight=0.16, suit_height=6.5, suit_beside=True,
        joker=_HORIZONTAL, joker_height=4.0),
    replace(_SERIF, name="serif-8mm-suit-beside-four-corner", rank_height=8.0, suit_height=5.0, suit_beside=True,
        corners=4, joker=_STAR, suits=SPREAD),
    IndexStyle("sans-9mm-small-suit", rank_height=9.5, weight=0.15, suit_height=3.4, gap=1.6, joker=_STAR,
        alternates="24"),
    IndexStyle("sans-7mm-large-suit", rank_height=7.0, weight=0.15, suit_height=8.0, gap=0.6, joker=_CHINESE,
        joker_height=4.6, suits=PLUMP),
    IndexStyle("sans-8mm-far-from-corner", rank_height=8.0, weight=0.15, suit_height=5.4, margin_x=5.5, margin_y=7.5,
        joker=_STACKED, joker_height=4.2, alternates="69"),
    replace(_SERIF, name="serif-8mm-close-to-edge", rank_height=8.5, suit_height=5.5, margin_x=1.2, margin_y=1.4,
        joker=_VERTICAL, joker_height=4.4),
    IndexStyle("sans-9mm-wide-gap", rank_height=9.0, weight=0.13, suit_height=5.5, gap=3.4, joker=_FIGURE,
        inks=GREY_JOKER, alternates="7Q"),
    IndexStyle("jumbo-sans-12mm-two-corner", rank_height=12.0, weight=0.17, squeeze=0.62, suit_height=8.0,
        joker=_VERTICAL, joker_height=6.0, margin_x=2.0),
    replace(_SERIF, name="jumbo-serif-12mm-two-corner", rank_height=12.0, weight=0.17, squeeze=0.64, suit_height=8.0,
        joker=_STACKED, joker_height=6.0, margin_x=2.0),
    IndexStyle("jumbo-condensed-sans-13mm-chinese-joker", rank_height=13.0, weight=0.16, squeeze=0.48,
        suit_height=8.5, joker=_CHINESE, joker_height=6.4, suits=STRAIGHT, alternates="13J"),
    IndexStyle("jumbo-bold-sans-14mm-four-colour", rank_height=14.0, weight=0.2, squeeze=0.6, suit_height=9.5,
        inks=FOUR_COLOUR, joker=_HORIZONTAL, joker_height=4.6, suits=PLUMP, margin_x=2.0),
    IndexStyle("jumbo-bold-sans-14mm-four-corner", rank_height=14.0, weight=0.2, squeeze=0.55, suit_height=9.0,
        corners=4, joker=_STACKED, joker_height=5.6, margin_x=2.0, margin_y=2.5, squareness=5, alternates="4"),
    IndexStyle("jumbo-thin-sans-15mm-two-corner", rank_height=15.0, weight=0.08, squeeze=0.5, suit_height=8.0,
        joker=_FIGURE, suits=SPREAD, alternates="69"),
    IndexStyle("jumbo-heavy-sans-16mm-suit-beside", rank_height=16.0, weight=0.2, squeeze=0.6, ten_width=1.2,
        suit_height=10.0, suit_width=0.85, gap=0.8, suit_beside=True, joker=_HORIZONTAL, joker_height=5.0,
        margin_x=1.5, suits=PLUMP),
    IndexStyle("jumbo-sans-18mm-two-corner", rank_height=18.0, weight=0.16, squeeze=0.6, suit_height=12.0,
        joker=_VERTICAL, joker_height=7.0, margin_x=2.0, suits=STRAIGHT, alternates="1J"),
    replace(_SERIF, name="jumbo-bold-serif-18mm-two-corner", rank_height=18.0, weight=0.19, squeeze=0.6,
        suit_height=11.0, joker=_STAR, margin_x=2.0, inks=WARM),
)
# fmt: on
