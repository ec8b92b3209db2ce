"""A few SVG shapes, escaped and accessible; the pictures of all games are drawn with them."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr


class Drawing:
    """An SVG document that grows shape by shape; units are pixels, y runs down."""

    def __init__(self, width: float, height: float, label: str) -> None:
        size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
        what = f'role="img" aria-label={quoteattr(label)} font-family="sans-serif"'
        self._parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {what}>']

    def _shape(self, tag: str, title: str, **attributes: object) -> None:
        listed = " ".join(f"{name.replace('_', '-')}={quoteattr(str(value))}" for name, value in attributes.items())
        body = f"><title>{escape(title)}</title></{tag}>" if title else "/>"
        self._parts.append(f"<{tag} {listed}{body}")

    def rect(
        self, x: float, y: float, width: float, height: float, fill: str, stroke: str = "#333", title: str = ""
    ) -> None:
        """A rectangle with its upper left corner at (x, y)."""
        self._shape("rect", title, x=f"{x:g}", y=f"{y:g}", width=width, height=height, rx=4, fill=fill, stroke=stroke)

    def circle(self, x: float, y: float, radius: float, fill: str, stroke: str = "#333", title: str = "") -> None:
        """A circle around (x, y)."""
        self._shape("circle", title, cx=f"{x:g}", cy=f"{y:g}", r=f"{radius:g}", fill=fill, stroke=stroke)

    def polygon(self, points: list[tuple[float, float]], fill: str, stroke: str = "#333", title: str = "") -> None:
        """A closed polygon."""
        listed = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._shape("polygon", title, points=listed, fill=fill, stroke=stroke)

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str = "#333", width: float = 1) -> None:
        """A straight line."""
        self._shape(
            "line", "", x1=f"{x1:g}", y1=f"{y1:g}", x2=f"{x2:g}", y2=f"{y2:g}", stroke=stroke, stroke_width=width
        )

    def text(self, x: float, y: float, words: str, size: float = 14, fill: str = "#222", anchor: str = "start") -> None:
        """A line of text whose baseline begins (or is centred: anchor "middle") at (x, y)."""
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill={quoteattr(fill)} text-anchor="{anchor}">'
            f"{escape(words)}</text>"
        )

    def document(self) -> str:
        """The finished document."""
        return "".join([*self._parts, "</svg>"])
