"""The rules of Dark Hex, what a player can know, and how many games there are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from information_states import count_information, count_states
from strategies import boards

from hsearch.hex.board import Board, Color, cells_in
from player.dark import counts
from player.dark import rules as information
from player.dark.rules import Base, DarkPosition, DarkRules, IllegalAttemptError, Noise, Play

GAMES = [(base, noise) for base in Base for noise in Noise]


@st.composite
def plays(draw, max_side=3):
    """Draw games of Dark Hex after some attempts, before their end."""
    rules = DarkRules(
        draw(boards(max_side)),
        draw(st.sampled_from(list(Base))),
        draw(st.sampled_from(list(Noise))),
    )
    play = Play(rules)
    for choice in draw(st.lists(st.integers(0, 1000), max_size=2 * rules.board.size)):
        cells = rules.legal(play.state)
        after = play.attempt(cells[choice % len(cells)])
        if rules.is_over(after.state):
            break
        play = after
    return play


@pytest.mark.parametrize(
    ("base", "until_full", "nodes", "terminals", "states", "final"),
    [
        (Base.CLASSIC, True, 729, 336, (17, 81), (36, 108)),
        (Base.CLASSIC, False, 441, 216, (17, 53), (36, 68)),
        (Base.ABRUPT, True, 885, 408, (125, 57), (204, 228)),
        (Base.ABRUPT, False, 471, 234, (59, 35), (118, 120)),
    ],
)
def test_the_counts_of_games_on_2x2_are_the_published_ones(
    base, until_full, nodes, terminals, states, final
):
    """The counts of all games on 2x2 are the published ones."""
    rules = DarkRules(Board(2, 2), base, until_full=until_full)
    known = [count_information(rules, color) for color in Color]
    number = counts.count(rules)

    assert (number.nodes, number.terminals) == (nodes, terminals)
    assert tuple(each.information_states for each in known) == states
    assert tuple(each.final for each in known) == final


@pytest.mark.parametrize(
    ("base", "until_full", "by_cell"),
    [
        (Base.CLASSIC, True, [84, 84, 84, 84]),
        (Base.CLASSIC, False, [64, 44, 44, 64]),
        (Base.ABRUPT, True, [102, 102, 102, 102]),
        (Base.ABRUPT, False, [67, 50, 50, 67]),
    ],
)
def test_game_counts_on_2x2_by_first_cell_are_right(base, until_full, by_cell):
    """The number of games depends on Black's first cell."""
    rules = DarkRules(Board(2, 2), base, until_full=until_full)
    begun = [rules.attempt(DarkPosition(), cell)[0] for cell in rules.board.cells]

    assert [counts.count(rules, state).terminals for state in begun] == by_cell


def test_case_counts_correct_two_errors_of_the_source():
    """The counts by first stones are right; the printed 42 and 4 are errors for 28 and 8."""
    rules = DarkRules(Board(2, 2), Base.CLASSIC)

    def games(black, white):
        """Count wins and losses of Black, with and without a first collision of White."""
        total = [0, 0]
        first, _ = rules.attempt(DarkPosition(), black)
        starts = [first, rules.attempt(first, black)[0]]
        for start in starts:
            after, placed = rules.attempt(start, white)
            assert placed
            number = counts.count(rules, after)
            total[0] += number.black_wins
            total[1] += number.terminals - number.black_wins
        return total

    far = [games(0, white) for white in (1, 2, 3)]
    close = [games(2, white) for white in (0, 1, 3)]

    assert far == [[4, 14], [0, 28], [4, 14]]
    assert [close[0][0] + close[1][0], close[0][1] + close[1][1]] == [8, 28]
    assert close[2] == [8, 0]
    assert 2 * sum(map(sum, far + close)) == 216


SIZES = [
    # columns, rows, base, noise, nodes, terminals, black wins, information states, sequences
    (2, 2, "classic", "silent", 441, 216, 48, (17, 53), (41, 93)),
    (2, 2, "classic", "noisy", 441, 216, 48, (33, 101), (77, 169)),
    (2, 2, "classic", "flash", 441, 216, 48, (33, 101), (77, 169)),
    (2, 2, "abrupt", "silent", 471, 234, 150, (59, 35), (89, 81)),
    (2, 2, "abrupt", "noisy", 471, 234, 150, (97, 49), (157, 113)),
    (2, 2, "abrupt", "flash", 471, 234, 150, (115, 49), (181, 113)),
    (3, 2, "classic", "silent", 104229, 53920, 16624, (697, 1811), (1677, 3439)),
    (3, 2, "abrupt", "silent", 149953, 75578, 49010, (4033, 2725), (6045, 6343)),
]


@pytest.mark.parametrize("row", SIZES, ids=str)
def test_counting_gives_the_published_sizes(row):
    """Counting over states and beliefs gives the published sizes."""
    columns, rows, base, noise, nodes, terminals, black_wins, states, sequences = row
    rules = DarkRules(Board(columns, rows), Base(base), Noise(noise))
    number = counts.count(rules)
    known = [count_information(rules, color) for color in Color]

    assert (number.nodes, number.terminals, number.black_wins) == (nodes, terminals, black_wins)
    assert tuple(each.information_states for each in known) == states
    assert tuple(each.sequences for each in known) == sequences


@pytest.mark.parametrize("until_full", [False, True])
@pytest.mark.parametrize("base", Base)
def test_counting_histories_agrees_with_playing_them(base, until_full):
    """Counting gives the same numbers as playing, on every board up to six cells."""
    for columns in range(1, 7):
        for rows in range(1, 6 // columns + 1):
            rules = DarkRules(Board(columns, rows), base, until_full=until_full)
            played, counted = counts.count(rules), counts.count_histories(rules)

            for name in ("nodes", "terminals", "black_wins"):
                assert getattr(counted, name) == getattr(played, name), (rules.name, name)


@pytest.mark.slow
def test_boards_have_more_histories_than_the_lower_bound():
    """The bound holds where counting is possible, because the first stones cannot end the game."""
    for columns in range(1, 9):
        for rows in range(1, 9):
            board = Board(columns, rows)
            for base in Base if columns * rows <= 25 else ():
                number = counts.count_histories(DarkRules(board, base)).nodes

                assert number > counts.at_least(board)


def test_connecting_sets_are_counted_by_size():
    """Counted by size; on 2x2, a1 b2 is the only pair from both rows that does not connect."""
    assert counts.connecting(2, 2) == [0, 0, 3, 4, 1]
    assert counts.connecting(3, 1) == [0, 3, 3, 1]
    assert counts.connecting(1, 3) == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("columns", "base", "states", "views"),
    [
        (2, "classic", 105, (17, 25)),
        (2, "abrupt", 114, (32, 22)),
        (3, "classic", 1797, (147, 167)),
        (3, "abrupt", 2309, (321, 255)),
    ],
)
def test_counts_of_states_and_views_are_the_known_ones(columns, base, states, views):
    """The numbers of the referee's states and of the players' views are small."""
    rules = DarkRules(Board(columns, 2), Base(base))

    assert count_states(rules) == states
    assert tuple(count_information(rules, color).views for color in Color) == views


@pytest.mark.slow
@pytest.mark.parametrize("base", Base)
def test_support_of_the_belief_follows_from_the_view(base):
    """In silent games, the possible placements do not depend on the order of attempts."""
    rules = DarkRules(Board(3, 2), base)
    beliefs = {color: {} for color in Color}
    todo = [Play(rules)]
    seen = set()
    while todo:
        play = todo.pop()
        color = play.state.turn
        by_view = beliefs[color].setdefault(information.view(play.histories[color]), {})
        other = play.state.stones[color.opponent], play.state.known[color.opponent]
        by_view.setdefault(play.histories[color], set()).add(other)
        for cell in rules.legal(play.state):
            after = play.attempt(cell)
            key = after.state, after.histories
            if key not in seen and not rules.is_over(after.state):
                seen.add(key)
                todo.append(after)

    for color in Color:
        for by_history in beliefs[color].values():
            assert len(set(map(frozenset, by_history.values()))) == 1


@settings(max_examples=200)  # a quarter of them have a collision
@given(plays())
def test_a_view_never_leaks(play):
    """A player's history distinguishes the opponent's attempts only by their sounds.

    The sounds are stated here a second time, from the table of the rules.
    """
    rules, color = play.rules, play.state.turn
    reader = color.opponent
    heard = {}
    for cell in rules.legal(play.state):
        after = play.attempt(cell)
        collided = bool(play.state.stones[reader] >> cell & 1)
        if not collided or rules.noise is Noise.SILENT:
            sound = "nothing"
        else:
            sound = rules.board.name(cell) if rules.noise is Noise.FLASH else "a collision"
        heard.setdefault(sound, set()).add(after.histories[reader])

    assert all(len(histories) == 1 for histories in heard.values())
    assert len(set.union(*heard.values())) == len(heard)
    assert heard.get("nothing", {play.histories[reader]}) == {play.histories[reader]}


@given(plays())
def test_legal_attempts_follow_from_the_view(play):
    """The view has the player's own and found stones, and thereby the legal attempts."""
    color, rules = play.state.turn, play.rules
    seen = information.view(play.histories[color])

    assert (seen.own, seen.known) == (play.state.stones[color], play.state.known[color])
    assert rules.legal(play.state) == list(cells_in(rules.full & ~seen.own & ~seen.known))


@given(plays())
def test_a_written_history_is_read_back_unchanged(play):
    """A written history is read back unchanged, for both players."""
    for history in play.histories:
        text = information.write(play.rules.board, history)

        assert information.read(play.rules.board, text) == history


@given(plays())
def test_known_stones_are_real_and_known_cells_are_refused(play):
    """A stone that a player has found is there, and the player cannot attempt its cell again."""
    state, rules = play.state, play.rules

    for color in Color:
        assert not state.known[color] & ~state.stones[color.opponent]
    assert rules.legal(state)
    for cell in rules.board.cells:
        if state.unavailable >> cell & 1:
            with pytest.raises(IllegalAttemptError, match=rules.board.name(cell)):
                rules.attempt(state, cell)


@pytest.mark.parametrize("word", ["", "a", "?x", "!", "a1xx", "!c9", "A1 "])
def test_invalid_observations_are_refused(word):
    """The error names a word that is not an observation."""
    if not word.strip():
        assert information.read(Board(2, 2), word) == ()
        return
    with pytest.raises(ValueError, match=r"observation|cell|board"):
        information.read(Board(2, 2), word)
