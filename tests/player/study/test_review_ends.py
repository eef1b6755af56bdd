"""Reviews of games that end by resignation, passes or a result, of swaps, and of setup stones."""

from dataclasses import replace

import naive_solve
import pytest
from test_review import BLACK, NORMAL, QUICK, WHITE, small

from hsearch import formats
from hsearch.formats import strict
from hsearch.hex.board import Board
from hsearch.hex.game import Game
from hsearch.hex.move import Move, Special
from hsearch.hex.tree import GameNode
from player.study import review_rows
from player.study.examine import review_game
from player.study.review import Verdict, game_object, instead, move_object, summary
from player.study.review_page import data, picture
from player.study.review_record import annotate
from player.study.review_rows import Reviewed, summarize


def test_resigning_a_won_game_is_a_mistake():
    """On 3x3, the owner of the center wins; resigning is a mistake."""
    game = Game.of(Board(3, 3), [4, 0]).append(Move(BLACK, Special.RESIGN))
    move = review_game(game, QUICK).moves[-1]

    assert (move.verdict, move.is_mistake) == (Verdict.WIN_GIVEN_UP, True)
    assert move.basis.startswith("resigned in a won position")
    assert move.fell == 1
    assert move.better


def test_resigning_a_won_game_out_of_turn_loses_the_whole_chance():
    """The lost chance is the resigner's, although the other player is to move."""
    game = Game.of(Board(3, 3), [4]).append(Move(BLACK, Special.RESIGN))
    reviewed = review_game(game, QUICK)
    move = reviewed.moves[-1]

    assert reviewed.states[-2].position.turn is WHITE
    assert (move.verdict, move.fell) == (Verdict.WIN_GIVEN_UP, 1)


@pytest.mark.parametrize(
    "end",
    [
        (),
        (Move(WHITE, Special.RESIGN),),
        (Move(WHITE, Special.FORFEIT),),
        (Move(WHITE, Special.PASS),),
        (Move(WHITE, Special.PASS), Move(BLACK, Special.PASS)),
        (Move(WHITE, Special.PASS), Move(WHITE, Special.RESIGN)),
    ],
)
def test_a_final_pass_or_resignation_is_not_the_turning_point(end):
    """A final resignation, forfeit or pass does not change the turning point."""
    game = small("c3 f2 e5 g1 d4 a1 d6", 7)
    for move in end:
        game = game.append(move)
    reviewed = review_game(game, replace(QUICK, search=0))

    assert (reviewed.winner, reviewed.turning_point) == (BLACK, 4)
    assert "Turning point: move 4 g1 (White)" in str(reviewed)
    row = review_rows.row(review_rows.Task.of("game", 1, game), reviewed)
    assert summarize(strict.read(strict.write(row).encode(), Reviewed)).moves == 7
    marked = [n.move for n in annotate(reviewed).main_line if ("HO", ("1",)) in n.properties]
    assert [move.name(game.board) for move in marked] == ["g1"]


def test_a_resigned_game_that_was_always_won_has_turning_point_0():
    reviewed = review_game(small("c3 a1 c2 b1 c4 resign", 5), NORMAL)

    assert (reviewed.winner, reviewed.turning_point) == (BLACK, 0)
    assert "Black is proved to win from the first position on." in str(reviewed)


@pytest.mark.parametrize(
    ("result", "said", "by"),
    [
        ("B+Resign", "White resigned; Black is proved to win there", "resigned"),
        ("B+R", "White resigned; Black is proved to win there", "resigned"),
        ("B+Time", "White lost on time; Black is proved to win there", "lost_on_time"),
        ("B+F", "White forfeited; Black is proved to win there", "forfeited"),
        ("W+Resign", "Black resigned; Black is proved to win there", "resigned"),
        ("B+", "The record says that Black won; Black is proved to win there", None),
        ("B", "The record says that Black won; Black is proved to win there", None),
        ("?", "The record ends before the game does; Black is proved to win there", "nothing"),
        ("Void", "The record ends before the game does; Black is proved to win there", "nothing"),
    ],
)
def test_a_review_reports_the_recorded_result(result, said, by):
    game = replace(small("c3 f2 e5 g1 d4 a1 d6", 7), info=(("RE", result),))
    reviewed = review_game(game, QUICK)

    assert said in str(reviewed)
    outcome = game_object(reviewed)["outcome"]
    color = "white" if result.startswith("W") else "black"
    expected = {"winner": color, "player": None, "by": by}
    assert outcome == (None if by == "nothing" else expected)


@pytest.mark.parametrize("ending", [Special.RESIGN, Special.FORFEIT])
def test_a_result_alone_is_reviewed_like_the_final_move(ending):
    game = small("c3 f2 e5 g1 d4 a1 d6", 7)
    by_move = review_game(game.append(Move(WHITE, ending)), QUICK)
    by_result = review_game(replace(game, info=(("RE", f"B+{ending.value[0]}"),)), QUICK)

    assert list(summary(by_move)) == list(summary(by_result))
    assert game_object(by_move)["outcome"] == game_object(by_result)["outcome"]


def test_after_a_swap_of_sides_names_follow_the_colors():
    """After a swap of sides, names follow the colors, and a loss belongs to its player."""
    text = (
        "(;FF[4]GM[11]SZ[5]PB[Ana]PW[Bob]RE[B+];B[c3];W[swap-sides];"
        "W[a1];B[c2];W[b1];B[c4];W[a2];B[c1];W[a3];B[c5])"
    )
    game = formats.read(text)
    reviewed = review_game(game, QUICK)
    objects = [move_object(reviewed, move) for move in reviewed.moves]

    assert game.warnings == ()
    assert "Sides were swapped at move 2: Bob is Black from then on, Ana White." in str(reviewed)
    assert "Black, Bob won with a chain of stones." in str(reviewed)
    assert game_object(reviewed)["outcome"] == {"winner": "black", "player": "Bob", "by": "chain"}
    assert [thing["player"] for thing in objects] == ["Ana", "Bob"] + ["Ana", "Bob"] * 4


@pytest.mark.parametrize(
    ("moves", "is_mistake"),
    [
        ("B[a1];W[swap-pieces];B[b2]", True),
        ("B[a1];W[swap-sides];W[b2]", True),
        ("B[b2];W[swap-pieces];B[a1]", False),
        ("B[b2];W[swap-sides];W[a1]", False),
    ],
)
def test_a_swap_of_an_opening_that_loses_is_a_mistake(moves, is_mistake):
    """Swapping a losing opening is a mistake, and the proved win is mentioned."""
    reviewed = review_game(formats.read(f"(;FF[4]GM[11]SZ[3];{moves})"), QUICK)
    swap, words = reviewed.moves[1], str(reviewed)

    assert reviewed.turning_point == 2
    assert swap.is_mistake == is_mistake
    assert ("swapped in a won position" in words) == is_mistake
    assert ("nobody had a proved win" in words) != is_mistake
    if is_mistake:
        position = reviewed.states[1].position.play(swap.better[0])
        assert naive_solve.outcome(position) is WHITE


@pytest.mark.parametrize(
    ("record", "is_before"),
    [
        ("RU[swap];B[b2]", True),
        ("RU[swap];B[b2];W[resign]", True),
        ("RU[swap];B[b2];W[forfeit]", True),
        ("RU[swap]RE[B+R];B[b2]", True),
        (";B[b2]", False),
        (";B[b2];W[resign]", False),
        ("RU[swap];B[b2];W[a1]", False),
    ],
)
def test_the_verdict_before_a_swap_is_conditional_on_no_swap(record, is_before):
    """Where play ends before a swap, given up or not, the verdict is conditional on no swap."""
    reviewed = review_game(formats.read(f"(;FF[4]GM[11]SZ[3]{record})"), QUICK)

    assert ("; if nobody swaps, Black is proved to win there" in str(reviewed)) is is_before
    assert "Black is proved to win there" in str(reviewed)
    turn = "Turning point: move 1 b2 (Black); from there on, if nobody swaps, Black is proved"
    assert (turn in str(reviewed)) is is_before
    assert reviewed.moves[0].basis.startswith("if nobody swaps, Black wins by") is is_before


@pytest.mark.parametrize("moves", ["", ";B[resign]", ";B[b2];B[resign]"])
def test_nobody_gives_up_a_win_that_a_swap_would_take(moves):
    """The opener who resigned before the swap had no proved win, and missed no swap."""
    reviewed = review_game(formats.read(f"(;FF[4]GM[11]SZ[3]RU[swap]{moves})"), QUICK)
    words = str(reviewed)

    assert reviewed.last_mistake is None
    assert "Last proved mistake" not in words
    if "b2" in moves:
        assert reviewed.moves[1].basis == "no stone is placed"
    else:
        assert "If nobody swaps, Black is proved to win from the first position on." in words


def test_the_page_of_a_review_that_ends_before_a_swap_says_so():
    """Each proof there is conditional: in the words below the board, and in the chart."""
    reviewed = review_game(formats.read("(;FF[4]GM[11]SZ[3]RU[swap];B[b2])"), QUICK)
    said, chart = data(reviewed)["positions"][1]["say"], picture(reviewed)

    assert "If nobody swaps, Black is proved to win, by a full connection of 4 cells." in said
    assert "<title>Black is proved to win after move 1, if nobody swaps</title>" in chart


@pytest.mark.parametrize("effort", [QUICK, NORMAL])
@pytest.mark.parametrize("second", ["W[a1];B[c1]", "W[resign]"])
def test_a_swap_of_a_winning_opening_is_missed(second, effort):
    """If the rules allow a swap of an opening that wins, not to swap it is the mistake."""
    reviewed = review_game(formats.read(f"(;FF[4]GM[11]SZ[3]RU[swap];B[b2];{second})"), effort)
    missed = reviewed.moves[1]

    is_over = second == "W[resign]"  # at the last position, the proof is conditional
    assert [state.winner for state in reviewed.states[:2]] == [None, BLACK if is_over else None]
    assert (missed.verdict, missed.is_mistake) == (Verdict.WIN_GIVEN_UP, True)
    assert missed.basis == "did not swap b2, which wins by a full connection of 4 cells"
    assert move_object(reviewed, missed)["better"] == ["swap-pieces"]
    assert "better swap-pieces" in instead(reviewed, missed)
    assert reviewed.last_mistake is missed
    if not is_over:
        assert reviewed.turning_point == 2
        variation = annotate(reviewed).nodes[-1].move
        assert variation == Move(WHITE, Special.SWAP_PIECES)


@pytest.mark.parametrize("effort", [QUICK, NORMAL])
@pytest.mark.parametrize("rest", ["", ";W[a2];B[b2]", ";W[swap-pieces];B[b2]"])
def test_an_opening_that_nobody_need_swap_is_no_mistake(rest, effort):
    """With a swap, no opening keeps a win: one that loses is not a mistake, nor is one better."""
    game = formats.read(f"(;FF[4]GM[11]SZ[3]RU[swap];B[a1]{rest})")
    reviewed = review_game(game, effort, tries=True)
    opening = reviewed.moves[0]

    assert [state.winner for state in reviewed.states[:2]] == [None, WHITE]
    assert not (reviewed.states[0].winning | reviewed.states[0].losing).any()
    assert (opening.verdict, opening.is_mistake) == (Verdict.PROVED_LOSS, False)
    assert opening.basis.endswith(", and need not swap")
    assert (opening.better, opening.best_try) == ((), None)


def test_the_recorded_end_is_not_an_estimate():
    """The recorded end is not an estimate, and the map's chance is not compared with the net's."""
    game = formats.read("(;FF[4]GM[11]SZ[11]RE[W+R];B[f6];W[e8];B[a11];W[g4])")
    reviewed = review_game(game, QUICK)
    end, last = reviewed.states[-1], reviewed.moves[-1]

    assert (end.odds.by, end.odds.of(WHITE), end.winner) == ("record", 1, None)
    assert (last.verdict, " after" in last.basis) == (Verdict.OPEN, False)
    assert reviewed.moves[1].basis.endswith("% before, by the map of openings")


@pytest.mark.parametrize("swap", [Special.SWAP_PIECES, Special.SWAP_SIDES])
def test_a_swap_invalidates_earlier_proofs(swap):
    """The center of 3x3 wins only without a swap, and the swap is not judged."""
    game = Game.of(Board(3, 3), [4, swap])
    reviewed = review_game(game, NORMAL)

    assert reviewed.states[1].winner in {None, WHITE}
    assert reviewed.moves[1].verdict is Verdict.NONE
    assert not any(move.is_mistake for move in reviewed.moves)
    assert reviewed.turning_point == 2


def test_a_move_with_setup_stones_after_it_is_not_judged():
    """A move with setup after it is not judged, but its positions are."""
    nodes = [
        GameNode(),
        GameNode(0, Move(BLACK, 0)),
        GameNode(1, white=(3, 4, 5)),
    ]
    reviewed = review_game(Game(Board(3, 3), tuple(nodes)), QUICK)

    assert reviewed.states[1].winner is WHITE
    assert reviewed.moves[0].verdict is Verdict.NONE
    assert reviewed.moves[0].basis == "other stones were set up as well"


def test_a_pass_is_not_judged():
    game = formats.read("https://hexworld.org/board/#3,b2:pa1")
    reviewed = review_game(game, QUICK)

    assert reviewed.moves[1].verdict is Verdict.NONE
    assert reviewed.winner is BLACK


def test_a_move_out_of_turn_is_not_setup():
    """Moves of one color in a row, as coins allow them, do not delay the turning point."""
    stones = [(WHITE, "c3"), (WHITE, "b4"), (BLACK, "a2"), (BLACK, "a3"), (BLACK, "a4")]
    board, game = Board(4, 4), Game(Board(4, 4))
    for color, name in stones:
        game = game.append(Move(color, board.cell(name)))
    reviewed = review_game(game.with_turn(BLACK), QUICK)

    winners = [state.winner for state in reviewed.states]
    assert (winners[2:], reviewed.turning_point) == ([WHITE, BLACK, BLACK, BLACK], 3)
    again = [reviewed.moves[number].basis for number in (0, 2, 3, 4)]
    assert again == [f"{who} moves again after it" for who in ("White", *["Black"] * 3)]
