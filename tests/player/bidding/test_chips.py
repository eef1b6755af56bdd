"""Whole chips: thresholds, bids and advice, checked by playing out whole games."""

import itertools
from functools import cache

import pytest

from hsearch import formats
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from player.bidding.advice import advise
from player.bidding.chips import Holding, check, check_bid
from player.bidding.discrete import Thresholds
from player.evaluate.exact import exact

odds_of = cache(exact)
winner_of = cache(winner)


@pytest.mark.parametrize("side", [2, 3])
@pytest.mark.parametrize("total", [*range(21), 50, 100])
def test_thresholds_of_empty_boards_are_about_half_of_the_chips(side, total):
    """On 2x2 and 3x3 the threshold is (k/2)* for even k and (k+1)/2 for odd k."""
    solved = Thresholds(Position.of(Board(side, side)), total)
    expected = Holding((total + 1) // 2, total % 2 == 0)

    for color in Color:
        assert solved.threshold(solved.start, color) == expected


@pytest.mark.parametrize(
    ("cell", "threshold"),
    [("a1", "45*"), ("b1", "40"), ("c1", "35"), ("a2", "40*"), ("b2", "34")],
)
def test_thresholds_differ_at_equal_richman_values(cell, threshold):
    """After b1 and a2 on 3x3 the thresholds differ although the Richman values are equal."""
    position = Position.of(Board(3, 3), black=cell)

    assert str(Thresholds(position, 100).threshold(position, Color.BLACK)) == threshold


def all_states(start):
    """Return all positions reachable from one, the fullest first."""
    found = [start]
    for cell in start.empty.search(1):
        found += [position.put(cell, color) for position in found for color in Color]
    return sorted(found, key=lambda position: position.empty.count())


def code(holding):
    return 2 * holding.chips + holding.tie_break


def won_by_play(start, total):
    """Return the holdings with which Black wins each position, by trying every bid and move.

    Each row has booleans for 0, 0*, 1, 1*, ... chips. Thresholds are not
    assumed: Black wins with a holding if some bid wins against all of White's.
    """
    won = {}
    for position in all_states(start):
        by = winner_of(position)
        if by is not None:
            won[position] = [by is Color.BLACK] * (2 * total + 2)
            continue
        cells = list(position.empty.search(1))
        moved = [won[position.put(cell, Color.BLACK)] for cell in cells]
        answered = [won[position.put(cell, Color.WHITE)] for cell in cells]
        some = [any(row[h] for row in moved) for h in range(2 * total + 2)]
        every = [all(row[h] for row in answered) for h in range(2 * total + 2)]
        won[position] = [
            any(
                all(outcome(h, bid, other, some, every) for other in range(total - h // 2 + 1))
                for bid in range(h // 2 + 1)
            )
            for h in range(2 * total + 2)
        ]
    return won


def outcome(holding, bid, other, some, every):
    """Return whether Black wins after two bids; `holding` is a `code`."""
    if bid > other:
        return some[holding - 2 * bid]
    if bid < other:
        return every[holding + 2 * other]
    if holding % 2:
        return some[holding - 2 * bid - 1] or every[holding + 2 * bid]
    return some[holding - 2 * bid] and every[holding + 2 * bid + 1]


def check_against_play(start, total, *, every=1):
    """Compare thresholds and bids with `won_by_play`, for both colors.

    Check one position in `every`, as comparing takes longer than playing.
    """
    solved = Thresholds(start, total)
    for position, row in list(won_by_play(start, total).items())[::every]:
        best = None if winner_of(position) is not None else paper_bids(solved, position)
        for h, black_wins in enumerate(row):
            black = Holding(h // 2, h % 2 == 1)

            assert solved.wins(position, Color.BLACK, black) == black_wins
            assert solved.wins(position, Color.WHITE, black.opposite(total)) != black_wins
            if best is not None:
                bids = solved.bids(position, Color.BLACK, black)

                assert (bids != []) == black_wins
                if black_wins:
                    assert best[black.tie_break] in bids


def paper_bids(solved, position):
    """Return Black's winning bids by the papers' formula, without and with the tie-break chip."""
    total = solved.total

    def least_after(color, pick):
        return pick(
            total + 1 if least is None else least.chips + least.tie_break / 2
            for cell in position.empty.search(1)
            for least in [solved.threshold(position.put(cell, color), Color.BLACK)]
        )

    worst, best = least_after(Color.WHITE, max), least_after(Color.BLACK, min)
    gap, odd, starred = int(worst) - int(best), (int(worst) + int(best)) % 2, best % 1 != 0
    bids = (gap // 2, gap // 2 - (not odd)) if starred else (gap // 2 + odd, gap // 2)
    return [max(0, bid) for bid in bids]


@pytest.mark.parametrize("total", range(8))
def test_thresholds_and_bids_on_2x2_are_right(total):
    """Thresholds and bids are right in every position of 2x2."""
    check_against_play(Position.of(Board(2, 2)), total)


@pytest.mark.parametrize("total", range(5))
def test_thresholds_and_bids_on_3x2_and_part_of_3x3_are_right(total):
    """Thresholds and bids are right on 3x2, and on 3x3 from three stones on."""
    check_against_play(Position.of(Board(3, 2)), total)
    check_against_play(Position.of(Board(3, 3), black="b2 c3", white="a2"), total)


@pytest.mark.slow
@pytest.mark.parametrize("total", [1, 4])
def test_thresholds_and_bids_on_3x3_are_right(total):
    """Thresholds and bids are right in every eleventh position of 3x3."""
    check_against_play(Position.of(Board(3, 3)), total, every=11)


def never_loses(start, total, color):
    """Play advice against every bid and move of the opponent, from every holding that wins.

    The opponent may bid anything, move anywhere and use the tie-break chip either
    way. Fail if a line ends in a loss, and return the number of states.
    """
    solved = Thresholds(start, total)
    waiting = [(start, holding) for holding in all_holdings(total)]
    waiting = [(start, h) for _, h in waiting if solved.wins(start, color, h)]
    seen = set(waiting)
    while waiting:
        position, holding = waiting.pop()
        by = winner_of(position)
        assert by is not color.opponent
        if by is color:
            continue
        advice = advise(odds_of(position), color, holding, total=total, thresholds=solved)
        for after in replies(position, holding, color, advice, total):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return len(seen)


def all_holdings(total):
    return [Holding(chips, star) for chips in range(total + 1) for star in (False, True)]


def replies(position, holding, color, advice, total):
    """Yield each outcome of a bid: the position, and the bidder's holding."""
    moved = position.put(advice.cell, color)
    answered = [position.put(cell, color.opponent) for cell in position.empty.search(1)]
    bid, opponent = advice.bid, total - holding.chips
    assert 0 <= bid <= holding.chips
    for other in range(opponent + 1):
        if other < bid:
            yield moved, Holding(holding.chips - bid, holding.tie_break)
        if other > bid:
            for after in answered:
                yield after, Holding(holding.chips + other, holding.tie_break)
        if other == bid:
            holder_moves = Holding(holding.chips - bid, tie_break=False)
            if advice.takes_tie or not holding.tie_break:
                yield moved, holder_moves
            if not (holding.tie_break and advice.takes_tie):
                for after in answered:
                    yield after, Holding(holding.chips + bid, tie_break=True)


@pytest.mark.parametrize("total", range(6))
def test_the_advised_use_of_the_tie_break_chip_wins(total):
    """For every winning bid, the advised use of the tie-break chip at equal bids wins."""
    solved = Thresholds(Position.of(Board(3, 2)), total)
    uses = set()
    for position in all_states(solved.start):
        if winner_of(position) is not None:
            continue
        for color, chips in itertools.product(Color, range(total + 1)):
            holding = Holding(chips, tie_break=True)
            for bid in solved.bids(position, color, holding):
                if bid > total - chips:
                    continue  # the opponent cannot bid as much
                takes = solved.is_tie_taken(position, color, holding, bid)
                uses.add(takes)
                if takes:
                    cell = solved.moves(position, color)[0]
                    assert solved.wins(position.put(cell, color), color, Holding(chips - bid))
                else:
                    after = Holding(chips + bid, tie_break=True)
                    for cell in position.empty.search(1):
                        assert solved.wins(position.put(cell, color.opponent), color, after)

    # With at most one chip in all, keeping the tie-break chip never pays.
    assert uses == ({True, False} if total > 1 else {True})


@pytest.mark.parametrize(
    ("board", "black", "white", "color"),
    [
        (Board(2, 4), "a2", "", Color.BLACK),
        (Board(3, 3), "a1 b1", "b2", Color.BLACK),
        (Board(4, 2), "", "b1", Color.WHITE),
    ],
)
def test_the_most_critical_cell_is_not_best_with_few_chips(board, black, white, color):
    """With one chip the most critical cell is not among the best, and advice avoids it."""
    position = Position.of(board, black=black, white=white)
    solved = Thresholds(position, 1)
    holding = solved.threshold(position, color)
    advice = advise(odds_of(position), color, holding, total=1, thresholds=solved)

    assert odds_of(position).rank()[0] not in solved.moves(position, color)
    assert advice.cell in solved.moves(position, color)
    assert never_loses(position, 1, color) > 0


def test_too_many_empty_cells_are_rejected():
    with pytest.raises(ValueError, match="too many empty cells to solve: 16"):
        Thresholds(Position.of(Board(4, 4)), 10)


@pytest.mark.parametrize("total", [-1, 10_001])
def test_impossible_totals_of_chips_are_rejected(total):
    with pytest.raises(ValueError, match=f"not a number of chips: {total}"):
        Thresholds(Position.of(Board(2, 2)), total)


def test_holdings_are_ordered_by_chips_and_tie_break():
    """Holdings are ordered 4 < 4* < 5, and one player's holding fixes the other's."""
    assert Holding(4) < Holding(4, tie_break=True) < Holding(5)
    assert Holding.read("4*") == Holding(4, tie_break=True)
    assert str(Holding.read(" 17 ")) == "17"
    assert Holding(30, tie_break=True).opposite(100) == Holding(70)


@pytest.mark.parametrize("text", ["", "*", "-3", "4**", "1.5", "ten", "٣", "99999", "9" * 5000])
def test_invalid_holdings_are_rejected(text):
    with pytest.raises(ValueError, match="not a number of chips"):
        Holding.read(text)


def test_a_bid_above_the_players_chips_is_rejected():
    with pytest.raises(ValueError, match="a bid of 8 with 7 chips"):
        check_bid(8, Holding(7))


def test_chips_come_from_bids_alone():
    """A later XH that does not follow from bids is refused; it once handed out new chips."""
    start = "(;FF[4]GM[11]SZ[3]RU[bidding]XH[100*][100];PL[B]XB[17][12]XH[83*][117];B[b2]"
    check(formats.read(f"{start};XH[83*][117])"))
    with pytest.raises(ValueError, match=r"chips of 9000\* 9000 without bids"):
        check(formats.read(f"{start};XH[9000*][9000])"))
