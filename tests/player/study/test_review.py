"""Reviews of whole games: proofs are correct, and estimates are labeled as such."""

from dataclasses import replace
from statistics import median

import naive_solve
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hsearch import formats
from hsearch.connect.limits import Depth
from hsearch.formats import moves
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move
from hsearch.hex.position import winner
from hsearch.strategy.check import check
from player.answers import memory
from player.answers.analysis import Analysis
from player.answers.candidates import best_moves
from player.search.chances import Chance, estimate
from player.search.openings import load_chart
from player.solve.budget import TRIES_A_SECOND
from player.solve.proof import write
from player.solve.solver import Solver
from player.solve.verify import verify
from player.study import examine
from player.study.examine import FALL, Prover, review_game
from player.study.review import EFFORTS, Verdict, instead, move_object

BLACK, WHITE = Color
QUICK, NORMAL, DEEP = (EFFORTS[name] for name in ("quick", "normal", "deep"))
LONDON = {"london-2000-queenbee-hexy": (50, BLACK), "london-2000-hexy-queenbee": (37, WHITE)}


@st.composite
def games(draw, *, sides=(2, 3), least=0):
    """Draw a random game, which may be unfinished."""
    board = Board(draw(st.sampled_from(sides)), draw(st.sampled_from(sides)))
    cells = draw(st.permutations(board.cells))
    game = Game.of(board)
    for cell in cells[: draw(st.integers(least, board.size))]:
        if winner(game.position()) is not None:
            break
        game = game.append(Move(game.position().turn, cell))
    return game


def confirmed(reviewed, number, solver):
    """Check a position's evidence by rules that are independent of the review.

    The solver only writes proofs: one for several positions searches less, and each is verified.
    """
    position, proved = reviewed.evidence(number)
    if proved.by is memory.Source.CHAIN:
        assert winner(position) is proved.winner
    elif proved.connection is not None:
        assert proved.connection.ends == position.board.edges(proved.winner)
        assert proved.connection.is_full or position.turn is proved.winner
        assert check(position, proved.winner, proved.connection) > 0
    elif proved.by is memory.Source.MAP:
        assert naive_solve.outcome(position) is proved.winner
    else:
        text = dict(reviewed.proofs).get(number)
        shown = verify(text or write(solver, position))
        assert (shown.position, shown.winner) == (position, proved.winner)


SIMULATIONS = 60  # fewer than usual, for the time of the test
BAD = {Verdict.PROVED_LOSS, Verdict.WIN_GIVEN_UP, Verdict.UNPROVED, Verdict.ESTIMATE_FELL}


@pytest.mark.slow
@settings(max_examples=8)
@given(games(sides=(5,), least=6))
def test_each_marked_move_has_a_better_one_or_a_best_try_or_neither_is_known(game):
    """The try is the best other move by `best_moves`; what its search proves is correct."""
    effort = replace(QUICK, search=0)  # leaves more open
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(examine, "SIMULATIONS", SIMULATIONS)
        reviewed, plain = (review_game(game, effort, tries=tries) for tries in (True, False))
    solver = Solver(game.board)

    for state in reviewed.states:
        assert state.winner in {None, solver.outcome(state.position)}
    for move, before in zip(reviewed.moves, reviewed.states, strict=False):
        said, tried = [*instead(reviewed, move)], move_object(reviewed, move)["try"]
        about = [text for text in said if not text.startswith("refuted by ")]
        assert len(about) == (move.verdict in BAD), move
        if move.best_try is None:
            assert tried is None
            assert not any(text.startswith("best try") for text in about)
            continue
        assert move.better == ()
        assert before.winner in {None, move.move.color}
        assert tried["cell"] == game.board.name(move.best_try.cell) == tried["line"][0]
        assert about[0].startswith(f"best try {tried['cell']}")
        if before.winner is not None:  # it is known that there is a winning move, but not which
            continue
        best = best_moves(
            Analysis(before.position, search=0, memory=memory.Memory()),
            None,
            simulations=SIMULATIONS,
        )
        others = [each for each in best.moves if each.cell != move.move.cell]
        assert move.best_try == others[0]
        assert others[0].winner is None
    assert all(move.best_try is None for move in plain.moves)


def test_a_search_for_a_better_move_corrects_the_verdict():
    """If it proves that every move loses, the move was lost already, and the turn is earlier."""
    game = Game.of(Board(5, 5), ["b3", "e3", "e5", "a1", "c3", "b5"])
    effort = replace(QUICK, search=0)
    plain, corrected = (review_game(game, effort, tries=tries) for tries in (False, True))

    assert (plain.moves[3].verdict, plain.turning_point) == (Verdict.PROVED_LOSS, 4)
    assert [*instead(plain, plain.moves[3])][-1] == "no better move is known"
    assert (corrected.moves[3].verdict, corrected.turning_point) == (Verdict.LOST, 0)
    assert corrected.states[3].proof.by is memory.Source.SEARCH
    assert [*instead(corrected, corrected.moves[3])] == []


@settings(max_examples=30)
@given(games(sides=(2, 3), least=2), st.sampled_from((QUICK, NORMAL, DEEP)))
def test_brute_force_confirms_what_a_review_proves(game, effort):
    """Brute force confirms proved winners, winning and losing moves, and verdicts."""
    reviewed = review_game(game, effort, proofs=True)
    truths = [naive_solve.outcome(state.position) for state in reviewed.states]

    for state, truth in zip(reviewed.states, truths, strict=True):
        assert state.winner in {None, truth}
        if winner(state.position) is None:
            wins = naive_solve.winning_moves(state.position)
            assert set(state.winning.search(1)) <= set(wins)
            assert not set(state.losing.search(1)) & set(wins)
    for move in reviewed.moves:
        before, after = truths[move.number - 1], truths[move.number]
        mover = move.move.color
        match move.verdict:
            case Verdict.PROVED_LOSS:
                assert after is not mover
                confirmed(reviewed, move.number, Solver(game.board))
            case Verdict.WIN_GIVEN_UP | Verdict.UNPROVED | Verdict.WINS:
                assert before is mover
            case Verdict.LOST:
                assert before is not mover
            case Verdict.ONLY_MOVE:
                position = reviewed.states[move.number - 1].position
                assert naive_solve.winning_moves(position) == [move.move.cell]
            case Verdict.FORCED:
                position = reviewed.states[move.number - 1].position
                assert set(naive_solve.winning_moves(position)) <= {move.move.cell}
        if move.is_mistake:
            assert (before, after) == (mover, mover.opponent)
            assert move.verdict in {Verdict.PROVED_LOSS, Verdict.WIN_GIVEN_UP}


@settings(max_examples=25)
@given(games(least=1))
def test_deep_finds_winners_and_turning_points_of_small_games(game):
    """The turning point is the first move after which the true winner never changes."""
    reviewed = review_game(game, DEEP)
    truths = [naive_solve.outcome(state.position) for state in reviewed.states]
    last = len(truths)
    while last and truths[last - 1] is truths[-1]:
        last -= 1

    assert [state.winner for state in reviewed.states] == truths
    assert (reviewed.winner, reviewed.turning_point) == (truths[-1], last)
    losses = [move.number for move in reviewed.moves if move.is_mistake]
    assert losses == [n for n in range(1, len(truths)) if truths[n] is not truths[n - 1]]
    assert (reviewed.last_mistake is None) == (not losses)


@settings(max_examples=25)
@given(games(least=2))
def test_refutations_and_better_lines_are_legal_and_win(game):
    """Each line is legal from its start, and its player keeps the win throughout."""
    reviewed = review_game(game, DEEP)
    for move in reviewed.moves:
        for line, start in ((move.refutation, move.number), (move.better, move.number - 1)):
            position = reviewed.states[start].position
            wins = position.turn
            assert len(line) <= 10
            for cell in line:
                position = position.play(cell)
                assert naive_solve.outcome(position) is wins
        assert bool(move.refutation) == (move.verdict is Verdict.PROVED_LOSS)
        assert bool(move.better) == (move.is_mistake or move.verdict is Verdict.UNPROVED)


@settings(max_examples=20)
@given(games(least=1))
def test_a_deep_review_never_contradicts_a_quick_one(game):
    """Deep proves what quick proves, and a mistake remains one."""
    quick, deep = review_game(game, QUICK), review_game(game, DEEP)

    for less, more in zip(quick.states, deep.states, strict=True):
        assert less.winner in {None, more.winner}
    assert {m.number for m in quick.moves if m.verdict is Verdict.PROVED_LOSS} <= {
        m.number for m in deep.moves if m.verdict in {Verdict.PROVED_LOSS, Verdict.LOST}
    }


def test_proved_chances_are_sure_and_others_are_estimated(london_review):
    """A proof gives a sure chance, and other positions have the usual estimate."""
    for state in london_review("london-2000-queenbee-hexy").states:
        if state.winner is None:
            assert state.odds == estimate(state.position)
        else:
            assert state.odds == Chance.sure(state.winner)
            assert state.chance == (state.winner is state.position.turn)
        assert state.odds.of(BLACK) + state.odds.of(WHITE) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", LONDON)
def test_the_london_games_are_decided_by_the_expected_move(london_review, name):
    """The turning point holds, and the plain rules confirm every proved loss."""
    reviewed = london_review(name)
    least, won_by = LONDON[name]
    losses = [m for m in reviewed.moves if m.verdict is Verdict.PROVED_LOSS]

    assert reviewed.winner is won_by
    assert reviewed.turning_point <= least
    assert losses
    solver = Solver(reviewed.game.board)
    for move in losses:
        confirmed(reviewed, move.number, solver)
        assert move.refutation
    for number in range(reviewed.turning_point, len(reviewed.states))[::-1]:
        confirmed(reviewed, number, solver)


def test_an_estimate_is_never_called_a_mistake(london_review):
    """The sentence about a fall says that it is only an estimate."""
    for name in LONDON:
        for move in london_review(name).moves:
            if move.verdict is Verdict.ESTIMATE_FELL:
                assert not move.is_mistake
                assert "only an estimate" in move.basis
                assert move.fell >= FALL
                assert move.word == f"estimate fell by {100 * move.fell:.0f} points"
            assert move.is_mistake <= move.rests_on_proof


def small(text, size=3):
    return formats.read(text, size=(size, size))


def test_the_review_of_an_empty_game_has_one_position():
    """The review has one position and no moves."""
    reviewed = review_game(Game.of(Board(3, 3)), QUICK)

    assert (len(reviewed.states), reviewed.moves) == (1, ())
    assert (reviewed.winner, reviewed.turning_point) == (BLACK, 0)


@pytest.mark.parametrize(("side", "moves"), [(1, 1), (19, 2)])
def test_reviews_work_on_the_smallest_and_a_large_board(side, moves):
    game = Game.of(Board(side, side), range(moves))
    reviewed = review_game(game, QUICK)

    assert len(reviewed.moves) == moves
    assert (reviewed.winner is BLACK) == (side == 1)


@pytest.mark.parametrize("effort", [QUICK, NORMAL])
@pytest.mark.parametrize("opening", ["b4", "g1", "a2", "a7"])
def test_a_review_uses_the_proofs_of_the_shipped_map(opening, effort):
    """The map's proofs hold before and after the first move; on 7x7 only the map settles them."""
    game = small(opening, 7)
    wins = load_chart(7).wins(game.moves[0].cell)
    reviewed = review_game(game, effort)
    (move,) = reviewed.moves

    assert [state.winner for state in reviewed.states] == [BLACK, BLACK if wins else WHITE]
    assert reviewed.states[1].proof.by is memory.Source.MAP
    assert move.verdict is (Verdict.WINS if wins else Verdict.PROVED_LOSS)
    assert move.is_mistake != wins


def test_the_reply_to_a_won_opening_is_lost():
    """The reply to a won opening is "lost": no other move might have held."""
    for effort in (QUICK, NORMAL):
        reviewed = review_game(small("b4 d4 e3 c5 c4 d5 d3", 7), effort)

        assert [move.verdict for move in reviewed.moves[:2]] == [Verdict.WINS, Verdict.LOST]
        assert reviewed.moves[1].basis.startswith("every move loses: ")


def test_a_review_reports_a_win_that_is_no_longer_proved():
    """The map proves White's win after a2; after d3 nothing is proved without the solver."""
    move = review_game(small("a2 d3", 7), replace(QUICK, search=0)).moves[1]

    assert (move.word, move.is_mistake) == ("win no longer proved", False)
    assert move.basis.startswith("a win of White's was proved before, by the shipped map")
    assert "after this move nothing is proved, and it may win still" in move.basis


def test_an_unfinished_game_has_no_turning_point():
    reviewed = review_game(small("a1", 9), QUICK)

    assert (reviewed.winner, reviewed.turning_point, reviewed.last_mistake) == (None, None, None)


def test_a_gap_in_a_proved_win_is_reported():
    """On 8x8 a win is proved early and at the end, but not in between."""
    reviewed = review_game(small("e4 d4 d5 b6 f3 c5", 8), QUICK)
    words = str(reviewed)

    assert reviewed.states[2].winner is reviewed.states[6].winner is BLACK
    assert reviewed.states[3].winner is None
    assert "No mistake is proved: after move 3 a win that was proved before no longer is." in words
    assert "nobody had a proved win" not in words


def test_the_move_after_a_position_lost_by_the_map_is_lost():
    """The move after a position that the map decides is "lost", not judged by the net."""
    reviewed = review_game(small("e5 e4 f4", 8), QUICK)

    assert [state.winner for state in reviewed.states[:3]] == [BLACK] * 3
    assert reviewed.states[2].proof.by is memory.Source.MAP
    assert reviewed.moves[1].verdict is Verdict.LOST


@pytest.mark.parametrize("name", LONDON)
def test_falls_beyond_the_noise_are_marked(london_review, name):
    """A fall is marked only between two chances by the net."""
    reviewed = london_review(name)
    pairs = list(zip(reviewed.moves, reviewed.states, reviewed.states[1:], strict=False))
    alike = [move for move, before, after in pairs if before.odds.by == after.odds.by == "net"]

    assert len(alike) > 15
    for move in reviewed.moves:
        if move.verdict in {Verdict.ESTIMATE_FELL, Verdict.OPEN}:
            fell = move.verdict is Verdict.ESTIMATE_FELL
            assert fell == (move in alike and move.fell >= FALL)


# Games of `tree` without playouts, 100 simulations a move, from eight balanced openings.
GOOD_GAMES = """
d2 h9 e7 e5 c5 d4 b8 b9 i9 h4 j6 i7 f5 d8
a3 d10 h7 h4 d8 f5 c6 c9 f8 d9 e7 e5 b7 d4
j10 g5 e6 e7 f6 d4 j4 i2 f4 i3 b8 b10 c9 c10
d1 d11 b10 h4 c4 c9 c7 c5 g5 f7 h8 f10 h6 h5
f2 i3 d8 d7 f6 f8 h7 e7 d5 e5 d6 e6 f4 e4
k11 e10 d8 h4 d5 c9 h8 g3 e9 d4 e4 f2 c3 d3
c10 g7 f6 e8 b8 d6 h5 h4 d7 f5 i4 i3 k2 j3
h10 f3 h4 g6 b8 f5 d5 d4 i4 i5 c5 b9 f6 j2
"""


@pytest.mark.slow
def test_the_turn_alone_does_not_lower_the_chance():
    """In games of good moves, about half of the moves gain, and the others lose little."""
    falls, effort = [], replace(QUICK, search=0)  # so that no winner is proved
    for line in GOOD_GAMES.split("\n")[1:-1]:
        reviewed = review_game(moves.read(line, Board(11, 11)), effort)
        for move, *sides in zip(reviewed.moves, reviewed.states, reviewed.states[1:], strict=False):
            if {each.odds.by for each in sides} == {"net"}:
                falls.append(move.fell)

    assert len(falls) > 40
    assert -0.1 < median(falls) < 0.03


def test_the_estimate_falls_at_a_wasted_move():
    """The net rates a stone in a far corner as wasted."""
    played = formats.load(formats.find_shipped("games/london-2000-queenbee-hexy.sgf")).moves[:12]
    game = Game.of(Board(11, 11), [*(move.action for move in played), "c11"])
    last = review_game(game, QUICK).moves[-1]

    assert last.verdict is Verdict.ESTIMATE_FELL
    assert last.basis.startswith("only an estimate: ")
    assert last.basis.endswith(" % after, by the net")


def test_the_solver_keeps_to_its_budget():
    """The budget counts positions, not seconds, so results are the same on all machines."""
    game = small("c3 d4 e5 d3", 9)
    effort = replace(NORMAL, search=0.05, nodes=40, total=100)
    first, second = review_game(game, effort), review_game(game, effort)

    assert 0 < first.nodes <= effort.total
    assert first == second


@pytest.mark.parametrize(
    ("text", "least"),
    [("a5 a1 b3 b4 a4 c2 b2 b1 c1", 0), ("e2 b5 d5 e1 d1 d2 c2 c3 b3 a5 b4 c4", 3)],
)
def test_the_rest_of_the_budget_proves_the_turning_point(monkeypatch, text, least):
    """The rest of the budget proves the turning point that one position a move cannot.

    The shipped map, which proves more, is switched off.
    """
    monkeypatch.setattr(memory, "chart_winner", lambda _position: None)
    game = small(text, 5)
    little = replace(NORMAL, search=0, depth=Depth(0), nodes=1, total=8, patience=1)
    more, most = replace(little, total=10**6), replace(little, nodes=10**5, total=10**6)

    assert review_game(game, little).turning_point > least
    assert review_game(game, more).turning_point == review_game(game, most).turning_point == least


def test_further_winning_moves_do_not_change_the_turning_point():
    """They do not change the turning point, and are found if the effort includes them."""
    game = small("a5 a1 b3 b4 a4 c2 b2 b1 c1", 5)
    plain = replace(NORMAL, depth=Depth(0))
    one, all_of_them = review_game(game, plain), review_game(game, replace(plain, further=10**5))
    solver = Solver(game.board)

    assert one.turning_point == all_of_them.turning_point
    for state in all_of_them.states[:-1]:
        if state.winner is state.position.turn:
            wins = solver.solve(state.position, every=True).winning_moves
            assert set(state.winning.search(1)) == set(wins)
            assert set(state.losing.search(1)) == set(state.position.empty.search(1)) - set(wins)
    assert any(a.winning != b.winning for a, b in zip(one.states, all_of_them.states, strict=True))


def test_the_search_for_other_wins_has_one_limit_for_the_game(monkeypatch):
    """All calls together examine at most so many positions, not each of them."""
    spent = []
    solve = Solver.solve

    def counted(solver, position, *, every=False, **options):
        before = solver.nodes
        answer = solve(solver, position, every=every, **options)
        spent.extend([solver.nodes - before] if every else [])
        return answer

    monkeypatch.setattr(Solver, "solve", counted)
    effort = replace(DEEP, depth=Depth(0), search=0, nodes=300, total=2000, further=400)
    review_game(small("a5 d3 c4 b2 e2 b5", 6), effort)

    assert len(spent) > 1
    assert 300 < sum(spent) <= 400


def test_without_time_only_h_search_proofs_remain(monkeypatch):
    """With no time left, only H-search's proofs remain."""
    monkeypatch.setattr("player.answers.analysis.TRIES_A_SECOND", TRIES_A_SECOND // 10)
    game = small("a2 d4 e5 d3", 7)
    reviewed = review_game(game, replace(NORMAL, seconds=0.0))

    assert reviewed.nodes == 0
    assert [s.winner for s in reviewed.states] == [
        s.winner for s in review_game(game, QUICK).states
    ]


def test_the_prover_reports_how_many_positions_remain():
    told = []
    Prover(small("a1 b2"), QUICK).states(told.append)

    assert told == [2, 1, 0]


@pytest.mark.parametrize("name", LONDON)
def test_a_partial_review_has_the_final_verdicts_of_later_moves(name):
    """At each position, from the last one back, later moves have their final verdicts."""
    game = formats.read(formats.find_shipped(f"games/{name}.sgf").read_bytes())
    found = []
    whole = review_game(
        game,
        replace(QUICK, search=0),
        on_state=lambda state, so_far: found.append((state, so_far())),
    )

    assert [state for state, _ in reversed(found)] == list(whole.states)
    for state, so_far in found:
        assert so_far.moves[state.moves :] == whole.moves[state.moves :]
        assert {move.verdict for move in so_far.moves[: state.moves]} <= {Verdict.NONE}
        assert so_far.winner is whole.winner
        assert {before.winner for before in so_far.states[: state.moves]} <= {None}
        assert so_far.turning_point == max(state.moves, whole.turning_point)


def test_a_win_proved_one_move_later_names_that_move():
    """H-search finds no connection after the loss, but does after Black's answer."""
    names = "e5 e7 d7 f3 g3 d4 h3 g2 i1 i2 h2 d8 g5"
    reviewed = review_game(moves.read(names, Board(9, 9)), replace(QUICK, search=0))
    loss, answer = reviewed.moves[11:]

    assert loss.verdict is Verdict.PROVED_LOSS
    assert "Black wins by a full connection of 20 cells after move 13;" in loss.basis
    assert answer.basis == "Black wins by a full connection of 20 cells"
