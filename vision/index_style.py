"""How the index in the corner of a card is printed: letters, suits, sizes, inks, places."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.cards import Card, Rank, Suit
from vision.index_strokes import SANS, Alphabet, Pen
from vision.shape import Nib
from vision.suit_shapes import ROUND, SuitShapes

Ink = tuple[int, int, int]
"""Blue, green, red, 0..255 each."""


class BadStyle(ValueError):
    """A value that no index can be printed with."""

    def __init__(self, style: str, field: str, value: object, remedy: str) -> None:
        super().__init__(f"index style {style!r}: {field} {value!r}; {remedy}")


class JokerIndex(StrEnum):
    """What stands in a joker's corner."""

    HORIZONTAL = "horizontal"
    """The word JOKER along the upper edge."""
    VERTICAL = "vertical"
    """The word turned by a quarter, read from top to bottom."""
    STACKED = "stacked"
    """Five upright letters under each other."""
    CHINESE = "chinese"
    """大王 or 小王, under each other."""
    STAR = "star"
    FIGURE = "figure"
    """A jester's head."""


@dataclass(frozen=True, slots=True)
class Inks:
    """Printing colours. Raises ValueError for a colour that is not three numbers 0..255."""

    spade: Ink = (28, 24, 24)
    heart: Ink = (38, 24, 200)
    club: Ink = (28, 24, 24)
    diamond: Ink = (38, 24, 200)
    big_joker: Ink = (38, 24, 200)
    small_joker: Ink = (28, 24, 24)

    def __post_init__(self) -> None:
        for name, ink in self._named().items():
            if len(ink) != 3 or not all(0 <= part <= 255 for part in ink):
                raise ValueError(f"ink {name} {ink!r} is no colour; give blue, green, red, 0 to 255 each")

    def of(self, card: Card) -> Ink:
        """The ink of the card's index."""
        match card.suit:
            case Suit.SPADE:
                return self.spade
            case Suit.HEART:
                return self.heart
            case Suit.CLUB:
                return self.club
            case Suit.DIAMOND:
                return self.diamond
            case None:
                return self.big_joker if card.rank is Rank.BIG_JOKER else self.small_joker

    def _named(self) -> dict[str, Ink]:
        return {
            "spade": self.spade,
            "heart": self.heart,
            "club": self.club,
            "diamond": self.diamond,
            "big_joker": self.big_joker,
            "small_joker": self.small_joker,
        }


TWO_COLOUR: Final = Inks()
GREY_JOKER: Final = Inks(small_joker=(120, 118, 116))
"""Red and black; the small joker in grey."""
WARM: Final = Inks((40, 30, 34), (30, 50, 225), (40, 30, 34), (30, 50, 225), (30, 50, 225), (40, 30, 34))
"""Orange-red and a soft black."""
DEEP: Final = Inks((60, 20, 10), (50, 20, 150), (60, 20, 10), (50, 20, 150), (50, 20, 150), (60, 20, 10))
"""Dark red and blue-black."""
FOUR_COLOUR: Final = Inks(club=(40, 120, 20), diamond=(190, 80, 20))
"""Green clubs, blue diamonds."""

_RANGES: Final[dict[str, tuple[float, float, str]]] = {
    "rank_height": (5.0, 18.0, "mm"),
    "squeeze": (0.36, 0.95, "of the rank's height"),
    "weight": (0.06, 0.28, "of the rank's height"),
    "contrast": (0.25, 1.0, "of the thick stroke"),
    "stress": (0.0, 35.0, "degrees"),
    "squareness": (2.0, 6.0, ""),
    "serif": (0.0, 0.16, "of the rank's height"),
    "slant": (0.0, 18.0, "degrees"),
    "ten_width": (1.0, 1.8, "of a common rank's width"),
    "suit_height": (2.5, 14.0, "mm"),
    "suit_width": (0.7, 1.2, "of the suit's height"),
    "gap": (0.3, 4.0, "mm"),
    "margin_x": (1.0, 8.0, "mm"),
    "margin_y": (1.0, 10.0, "mm"),
    "joker_height": (2.0, 7.0, "mm"),
}


@dataclass(frozen=True, slots=True)
class IndexStyle:
    """One way to print indices on any pack; the default pack alone has its own, simpler `vision.cardface.IndexStyle`.

    rank_height: of the ink of a rank, mm, exactly. squeeze: width of a common letter by its height.
    weight: thick strokes by the rank's height. contrast: thin by thick strokes. stress: degrees by which thick strokes
    lean from upright. squareness: of stroke ends, 2 round to 6 flat. serif: length of serifs by the rank's height, 0
    for none. slant: degrees, to the right. ten_width: of `10` by a common letter. suit_height, gap: mm. suit_width: by
    the suit's height. margin_x, margin_y: mm from the edges of the card to the column of the index. suit_beside: the
    suit stands to the right of the rank, not under it. joker_height: of a letter in JOKER, mm. alternates: characters
    written in their second form.
    Raises BadStyle with the value and its range.
    """

    name: str
    letters: Alphabet = SANS
    suits: SuitShapes = ROUND
    inks: Inks = TWO_COLOUR
    joker: JokerIndex = JokerIndex.STACKED
    rank_height: float = 8.5
    squeeze: float = 0.62
    weight: float = 0.14
    contrast: float = 0.85
    stress: float = 0.0
    squareness: float = 3.0
    serif: float = 0.0
    slant: float = 0.0
    ten_width: float = 1.25
    suit_height: float = 5.5
    suit_width: float = 0.9
    gap: float = 1.0
    margin_x: float = 2.5
    margin_y: float = 3.0
    corners: int = 2
    suit_beside: bool = False
    joker_height: float = 4.5
    alternates: str = ""

    def __post_init__(self) -> None:
        for name, value in self._numbers().items():
            low, high, of = _RANGES[name]
            if not low <= value <= high:
                raise BadStyle(self.name, name, value, f"give {low:g} to {high:g} {of}".rstrip())
        if self.corners not in (2, 4):
            raise BadStyle(self.name, "corners", self.corners, "give 2 or 4")
        for character in self.alternates:
            if character not in self.letters.alternates:
                known = "".join(sorted(self.letters.alternates))
                raise BadStyle(self.name, "alternates", character, f"{self.letters.name} has a second form of {known}")
        if self.weight > 0.4 * self.squeeze:
            raise BadStyle(
                self.name,
                "weight",
                self.weight,
                f"strokes would fill the letters; give at most {0.4 * self.squeeze:.3g}",
            )

    @property
    def rank_width(self) -> float:
        """Width of a common letter, mm."""
        return self.rank_height * self.squeeze

    def pen(self, height: float, width: float) -> Pen:
        """The pen for letters of that height whose common width is `width`."""
        thick = min(self.weight * height, 0.36 * width)
        thin = min(thick * self.contrast, 0.2 * height)
        return Pen(
            Nib(thick, thin, self.stress, self.squareness),
            self.serif * height,
            max(0.85 * thin, 0.35 * thick),
        )

    def _numbers(self) -> dict[str, float]:
        return {
            "rank_height": self.rank_height,
            "squeeze": self.squeeze,
            "weight": self.weight,
            "contrast": self.contrast,
            "stress": self.stress,
            "squareness": self.squareness,
            "serif": self.serif,
            "slant": self.slant,
            "ten_width": self.ten_width,
            "suit_height": self.suit_height,
            "suit_width": self.suit_width,
            "gap": self.gap,
            "margin_x": self.margin_x,
            "margin_y": self.margin_y,
            "joker_height": self.joker_height,
        }
