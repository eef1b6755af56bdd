"""Style sheets of SVG pictures, for light and for dark pages."""

TINTS = 6

STYLE = """
svg { color-scheme: light dark; font: 11px system-ui, sans-serif; }
.page { fill: #fbfaf7 } .ink { fill: #30343b } .title { font-size: 14px; font-weight: 600 }
.cell { fill: #ece6d9; stroke: #8d8574; stroke-width: 1 }
.shaded { fill: #57a773; fill-opacity: .6 } .dot { fill: #1d5c38 }
.tint { fill-opacity: .55 } .tint0 { fill: #56b4e9 } .tint1 { fill: #e69f00 }
.tint2 { fill: #2fa37c } .tint3 { fill: #cc79a7 } .tint4 { fill: #d9cf2e } .tint5 { fill: #8a7fd1 }
.heat { fill: #f07f4f } .frame { fill: none; stroke: #8d8574 }
.black { fill: #17191d; stroke: #17191d } .white { fill: #ffffff; stroke: #55524b }
.edge { fill: none; stroke-width: 11; stroke-linejoin: round; stroke-linecap: round }
.rim { fill: none; stroke-width: 14; stroke: #55524b; stroke-linejoin: round;
  stroke-linecap: round }
.edge.black { stroke: #17191d } .edge.white { stroke: #ffffff }
.end { fill: none; stroke: #b0189b; stroke-width: 3.5 } .rim.end { stroke-width: 19 }
.key { fill: #f6c945; stroke: #4a3b00; stroke-width: 1 }
.on-black { fill: #ffffff } .on-white { fill: #17191d } .label { font-weight: 600 }
@media (prefers-color-scheme: dark) {
.page { fill: #16181c } .ink { fill: #d9dce1 }
.cell { fill: #3b3f47; stroke: #757b86 } .frame { stroke: #757b86 }
.shaded { fill: #3b8f60; fill-opacity: .5 } .dot { fill: #d5f5e3 } .heat { fill: #ad3012 }
.black { fill: #0a0b0d; stroke: #b4bac4 } .white { fill: #f3f4f6; stroke: #0a0b0d }
.tint { fill-opacity: .4 }
.rim { stroke: #b4bac4 } .edge.black { stroke: #0a0b0d } .edge.white { stroke: #f3f4f6 }
.end { stroke: #ff7be9 } .rim.end { stroke: #ff7be9 }
}
"""


# The colors of the stones: the first is in the style above, others come after it.
PALETTES = {
    "black-white": "",
    "red-blue": """
.black { fill: #c8372d; stroke: #7d1a13 } .white { fill: #2f66c4; stroke: #173a78 }
.edge.black { stroke: #c8372d } .edge.white { stroke: #2f66c4 }
.on-black, .on-white { fill: #ffffff }
@media (prefers-color-scheme: dark) {
.black { fill: #d2463b; stroke: #f3b8b3 } .white { fill: #3d74d6; stroke: #bcd0f5 }
.edge.black { stroke: #d2463b } .edge.white { stroke: #3d74d6 }
}
""",
}
