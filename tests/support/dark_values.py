"""The exact values of small games of Dark Hex, for Black, from -1 to 1."""

VALUES = {
    (2, 2, "abrupt", "silent"): "1/2",
    (2, 2, "abrupt", "noisy"): "1/2",
    (2, 2, "abrupt", "flash"): "1/2",
    (3, 2, "abrupt", "silent"): "9/11",
    (3, 2, "abrupt", "noisy"): "25/31",
    (3, 2, "abrupt", "flash"): "25/31",
    (2, 3, "abrupt", "silent"): "-1/8",
    (2, 3, "abrupt", "noisy"): "-1347/15572",
    (2, 3, "abrupt", "flash"): "-13/148",
}
