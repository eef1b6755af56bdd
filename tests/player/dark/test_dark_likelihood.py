"""The chances that `why` shows, compared with all games, and the risks of attempts."""

from itertools import product

import pytest
from hidden import any_cell, worlds_of

from hsearch.hex.board import Board, Color, cells_in
from hsearch.kernels.stop import Flag, Stopped, stopping
from player.dark import belief as subject
from player.dark.belief import exact_likelihood, likelihood
from player.dark.outlook import describe_belief
from player.dark.rules import Base, DarkRules, Noise, own_symbol, view

GAMES = [(base, noise) for base in Base for noise in Noise]


def truth_of(worlds):
    """Return the chance of each set of the opponent's stones."""
    boards = {}
    for (stones, _), chance in worlds.items():
        boards[stones] = boards.get(stones, 0) + chance
    total = sum(boards.values())
    return {stones: chance / total for stones, chance in boards.items()}


def share_won(rules, color, own, other):
    """Return how often a player wins when every empty cell is filled at random."""
    empty = list(cells_in(rules.full & ~own & ~other))
    wins = 0
    for sides in product((0, 1), repeat=len(empty)):
        mask = own | sum(1 << cell for cell, side in zip(empty, sides, strict=True) if side)
        wins += rules.connects(color, mask)
    return wins / 2 ** len(empty)


@pytest.mark.parametrize(("base", "noise"), GAMES)
@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize(("columns", "rows"), [(2, 2), (3, 1), (1, 4)])
def test_chances_of_hidden_stones_equal_those_of_all_games(columns, rows, color, base, noise):
    """In each information state the chance of each hidden stone is right, and is shown."""
    rules = DarkRules(Board(columns, rows), base, noise)
    for history, worlds in worlds_of(rules, color, any_cell).items():
        boards, seen = truth_of(worlds), view(history)
        unknown = list(cells_in(rules.full & ~seen.own & ~seen.known))
        hidden = {
            cell: sum(share for stones, share in boards.items() if stones >> cell & 1)
            for cell in unknown
        }
        belief = likelihood(rules, color, history)
        marks, _ = describe_belief(rules, color, history)

        assert belief.is_exact
        assert belief.hidden() == pytest.approx(hidden)
        assert marks.heat == pytest.approx({cell: x for cell, x in hidden.items() if x})
        assert all(
            float(text) == pytest.approx(100 * hidden[cell], abs=0.5 + 1e-9)
            for cell, text in marks.labels.items()
        )


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("base", Base)
def test_risks_of_attempts_equal_those_of_all_boards(color, base):
    """For each attempt, the chance of a hit and the chances to win after it are right."""
    rules = DarkRules(Board(2, 2), base, Noise.NOISY)
    for history, worlds in worlds_of(rules, color, any_cell).items():
        boards, own = truth_of(worlds), view(history).own
        for risk in likelihood(rules, color, history).risks():
            bit = 1 << risk.cell
            hit = {stones: share for stones, share in boards.items() if stones & bit}
            free = {stones: share for stones, share in boards.items() if not stones & bit}

            assert risk.hit == pytest.approx(sum(hit.values()))
            for found, mine, told in ((hit, own, risk.if_hit), (free, own | bit, risk.if_placed)):
                total = sum(found.values())
                assert (told is None) == (not found)
                if found:
                    won = sum(
                        share * share_won(rules, color, mine, stones)
                        for stones, share in found.items()
                    )
                    assert told == pytest.approx(won / total)


def test_a_weighted_sample_represents_many_possible_boards(monkeypatch):
    """A sample of four boards represents all nine, with weights that add up to 1."""
    monkeypatch.setattr(subject, "LOOKED_AT", 4)
    belief = likelihood(DarkRules(Board(3, 3)), Color.WHITE, ())

    assert len(belief.boards) == 9
    assert len(belief.sample) == 4
    assert sum(weight for _, weight in belief.sample) == pytest.approx(1)


def test_likelihood_on_large_boards_is_estimated_from_guesses():
    """The chances come from guesses, and the text says so; a model cannot be used there."""
    rules = DarkRules(Board(6, 6), Base.ABRUPT, Noise.FLASH)
    history = (own_symbol(0, placed=True), own_symbol(7, placed=False), own_symbol(9, placed=True))
    belief = likelihood(rules, Color.WHITE, history)
    _, lines = describe_belief(rules, Color.WHITE, history)

    assert not belief.is_exact
    assert sum(belief.hidden().values()) == pytest.approx(3)
    assert exact_likelihood(rules, Color.WHITE, history, lambda *_: {}) is None
    assert 1 < belief.evenness <= 400
    assert "over 400 guesses (as good as " in lines[1]


@pytest.mark.parametrize(("base", "noise"), GAMES)
@pytest.mark.parametrize("color", Color)
def test_why_names_known_stones_chances_and_risks(color, base, noise):
    """The text names stones, chances and risks, for both players in every game."""
    rules = DarkRules(Board(3, 3), base, noise)
    history = (own_symbol(2, placed=True), own_symbol(4, placed=False))
    if base is Base.CLASSIC:
        history += (own_symbol(6, placed=True),)
    stones = 1 + (base is Base.CLASSIC)
    other = color.opponent.word.capitalize()

    _, lines = describe_belief(rules, color, history)
    text = "\n".join(lines)

    assert (
        f"Known: you have {stones} stone{'s' * (stones > 1)} and have found 1 of {other}'s" in text
    )
    assert f"if {other} attempts any cell with the same chance, over " in text
    assert ("you try again" if base is Base.CLASSIC else "your turn is lost") in text
    assert {"silent": "not notice", "noisy": "learns of it", "flash": "learns where"}[noise] in text
    assert "a hit " in text
    assert "With open stones from here" in text


TWO_TURNS = (own_symbol(5, placed=True), own_symbol(6, placed=True), own_symbol(9, placed=True))


def counting(calls, then=lambda: None):
    """Return the model `careless`, which records each call and then calls a function."""

    def model(*asked):
        calls.append(asked)
        then()
        return subject.careless(*asked)

    return model


def test_too_many_worlds_are_not_all_made(monkeypatch):
    """The search for all worlds ends as soon as there are more than may be kept."""
    monkeypatch.setattr(subject, "MOST_WORLDS", 50)
    calls = []

    assert exact_likelihood(DarkRules(Board(4, 4)), Color.BLACK, TWO_TURNS, counting(calls)) is None
    assert len(calls) < 10


def test_a_question_about_hidden_stones_can_be_canceled():
    """The worlds of a history may take minutes, and no kernel runs meanwhile."""
    calls, flag = [], Flag()
    model = counting(calls, flag.set)

    with stopping(flag), pytest.raises(Stopped):
        exact_likelihood(DarkRules(Board(4, 4)), Color.BLACK, TWO_TURNS, model)
    assert len(calls) == 1
