"""Line charts as SVG, without dependencies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

_WIDTH, _HEIGHT = 560, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 546, 12, 206


@dataclass
class Series:
    """A line of a chart."""

    name: str
    #: The number of the colour in the style sheet of the page.
    color: int
    points: Sequence[tuple[float, float]]
    #: The confidence interval of each point, or nothing.
    band: Sequence[tuple[float, float]] = field(default=())


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Round numbers from `low` to `high`, about `count` of them."""
    span = max(high - low, 1e-9)
    power = 10 ** math.floor(math.log10(span / count))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor * count >= span)
    first = math.ceil(low / step - 1e-9)
    return [index * step for index in range(first, math.floor(high / step + 1e-9) + 1)]


def line_chart(
    series: Sequence[Series],
    x_label: str,
    *,
    percent: bool = False,
    from_zero: bool = False,
    marks: Sequence[tuple[float, str]] = (),
) -> str:
    """An SVG document with all series over whole numbers.

    `marks` are labelled horizontal lines, shown if they are in range.
    """
    points = [point for line in series for point in line.points]
    if not points:
        return '<p class="empty">No data yet.</p>'
    ys = [y for _, y in points] + [y for line in series for pair in line.band for y in pair]
    x_low, x_high = min(x for x, _ in points), max(x for x, _ in points)
    x_high = max(x_high, x_low + 1)
    y_low, y_high = (0.0, 1.0) if percent else (0.0 if from_zero else min(ys), max(ys))
    margin = 0 if percent else 0.06 * max(y_high - y_low, 0.1 * abs(y_high), 1e-6)
    y_low, y_high = (y_low if from_zero else y_low - margin), y_high + margin

    def x_at(x: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * (x - x_low) / (x_high - x_low)

    def y_at(y: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * (y - y_low) / (y_high - y_low)

    parts = [f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">']
    for y in ticks(y_low, y_high):
        label = f"{y:.0%}" if percent else f"{y:,.10g}"
        parts.append(f'<path class="grid" d="M{_LEFT} {y_at(y):.1f}H{_RIGHT}"/>')
        parts.append(f'<text x="{_LEFT - 7}" y="{y_at(y) + 4:.1f}" text-anchor="end">{label}</text>')
    for x in ticks(x_low, x_high, min(8, round(x_high - x_low))):
        parts.append(f'<text x="{x_at(x):.1f}" y="{_BOTTOM + 17}" text-anchor="middle">{x:,.10g}</text>')
    middle = (_LEFT + _RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{_HEIGHT - 3}" text-anchor="middle">{escape(x_label)}</text>')
    for y, label in marks:
        if y_low <= y <= y_high:
            parts.append(f'<path class="mark" d="M{_LEFT} {y_at(y):.1f}H{_RIGHT}"/>')
            place = f'x="{_RIGHT}" y="{y_at(y) - 3:.1f}" text-anchor="end"'
            parts.append(f'<text class="mark" {place}>{escape(label)}</text>')
    for line in series:
        xs = [x_at(x) for x, _ in line.points]
        if line.band:
            upper = [f"{x:.1f},{y_at(high):.1f}" for x, (_, high) in zip(xs, line.band, strict=True)]
            lower = [f"{x:.1f},{y_at(low):.1f}" for x, (low, _) in zip(xs, line.band, strict=True)]
            parts.append(f'<polygon class="band c{line.color}" points="{" ".join(upper + lower[::-1])}"/>')
        places = [f"{x:.1f},{y_at(y):.1f}" for x, (_, y) in zip(xs, line.points, strict=True)]
        parts.append(f'<polyline class="line c{line.color}" points="{" ".join(places)}"/>')
        if len(places) <= 60:
            for place, (x, y) in zip(places, line.points, strict=True):
                px, py = place.split(",")
                value = f"{y:.1%}" if percent else f"{y:.4g}"
                parts.append(
                    f'<circle class="dot c{line.color}" cx="{px}" cy="{py}" r="2.6">'
                    f"<title>{escape(line.name)}, {escape(x_label)} {x:g}: {value}</title></circle>"
                )
    legend = "".join(
        f'<span class="key"><i class="c{line.color}"></i>{escape(line.name)}</span>' for line in series
    )
    return "".join([*parts, "</svg>", f'<p class="legend">{legend}</p>' if len(series) > 1 else ""])
