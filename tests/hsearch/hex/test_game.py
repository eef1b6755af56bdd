"""Game records: the position after each move, and the turn."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from records import games, trees

from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game, MoveNumberError
from hsearch.hex.move import Move, Special
from hsearch.hex.position import IllegalMoveError, Position
from hsearch.hex.tree import GameNode, TurnUnknownError, check

BOARD = Board(4, 4)
BLACK, WHITE = Color


def game(*nodes, board=BOARD):
    """Return a game with one line of nodes."""
    line = (GameNode(index - 1, **fields) for index, fields in enumerate(nodes))
    return Game(board, tuple(line))


def move(color, name):
    """Return a move by its name."""
    specials = {special.value: special for special in Special}
    return Move(color, specials[name] if name in specials else BOARD.cell(name))


@given(games())
def test_each_move_adds_its_stone(record):
    """The position after n moves follows from the previous one by the rules of the board."""
    before = record.position(0)

    assert before == Position.of(record.board)
    for number, played in enumerate(record.moves, 1):
        after = record.position(number)
        if played.cell is not None:
            assert after == before.play(played.cell)
            assert record.last_cell(number) == played.cell
        elif played.special is Special.SWAP_PIECES:
            assert after == before.swap()
            assert record.last_cell(number) in set(after.white.search(1))
        else:
            assert (after.black, after.white) == (before.black, before.white)
        before = after
    assert record.position() == before


@pytest.mark.slow
@given(trees())
def test_the_last_setup_or_move_decides_each_cell(record):
    """Each cell holds what the last setup or move of the line placed there."""
    owner = {}
    for node in record.main_line:
        for cells, color in ((node.black, BLACK), (node.white, WHITE), (node.cleared, None)):
            owner.update(dict.fromkeys(cells, color))
        if node.move is not None and node.move.cell is not None:
            owner[node.move.cell] = node.move.color
    position = record.position(turn=BLACK)

    assert [position.color_at(c) for c in record.board.cells] == [
        owner.get(c) for c in record.board.cells
    ]


@given(trees())
def test_appending_keeps_the_variations(record):
    """A new move on the main line leaves all other lines unchanged."""
    longer = record.append(Move(BLACK, Special.PASS), comment="new")

    def lines(tree):
        paths, found = {-1: ()}, []
        for index, node in enumerate(tree.nodes):
            paths[index] = (*paths[node.parent], (node.move, node.comment, node.black))
            found.append(paths[index])
        return found

    assert longer.moves == (*record.moves, Move(BLACK, Special.PASS))
    new = lines(longer)
    del new[len(record.main_line)]
    assert new == lines(record)


def test_sources_of_the_turn_have_a_fixed_order():
    """The argument decides, then the next move, then the last one, then PL, then parity."""
    stones = {"black": (0, 1), "white": (2,)}
    after = game(stones | {"turn": BLACK}, {"move": move(WHITE, "b2")}, {"move": move(WHITE, "c2")})

    assert after.position(0).turn is WHITE
    assert after.position(0, turn=BLACK).turn is BLACK
    assert after.position(1).turn is WHITE
    assert after.position(2).turn is BLACK
    assert game(stones | {"turn": BLACK}).position().turn is BLACK
    assert game(stones | {"turn": BLACK}).position(turn=WHITE).turn is WHITE
    assert game(stones).position().turn is WHITE
    assert game({}).position().turn is BLACK


def test_moves_or_pl_but_not_stones_record_the_turn():
    """Stones alone give no turn, so a given turn needs no warning."""
    assert game({"black": (0,)}).recorded_turn() is None
    assert game({"black": (0,), "turn": BLACK}).recorded_turn() is BLACK
    assert game({}, {"move": move(BLACK, "a1")}).recorded_turn() is WHITE
    assert game({}, {"move": move(BLACK, "a1")}, {"turn": BLACK}).recorded_turn() is BLACK
    assert game({}, {"move": move(WHITE, "a1")}).recorded_turn(0) is WHITE


@pytest.mark.parametrize(("black", "white"), [((0, 1), ()), ((), (0,)), ((0,), (1, 2))])
def test_impossible_stone_counts_need_a_given_turn(black, white):
    """Black is two stones ahead, or White is ahead; the command line names its option."""
    record = game({"black": black, "white": white})

    with pytest.raises(TurnUnknownError, match=r"white stones do not determine who is to move$"):
        record.position()
    assert record.position(turn=WHITE).turn is WHITE


@pytest.mark.parametrize(
    ("word", "turn", "black", "white"),
    [
        ("swap-pieces", BLACK, "", "c1"),
        ("swap-sides", WHITE, "a3", ""),
        ("pass", BLACK, "a3", ""),
        ("resign", WHITE, "a3", ""),
        ("forfeit", WHITE, "a3", ""),
    ],
)
def test_swap_pass_and_resign_give_the_right_position(word, turn, black, white):
    """The second player swaps pieces, swaps sides, passes or resigns."""
    record = game({}, {"move": move(BLACK, "a3")}, {"move": move(WHITE, word)})

    assert record.position() == Position.of(BOARD, black=black, white=white, turn=turn)
    assert record.last_cell() == BOARD.cell("c1" if word == "swap-pieces" else "a3")
    assert record.position(1).turn is WHITE


@pytest.mark.parametrize("setup", ["black", "white", "cleared"])
def test_a_stone_replaced_by_setup_is_not_the_last_cell(setup):
    """It is not there any more; a stone that was played elsewhere is."""
    record = game({}, {"move": move(BLACK, "a3")}, {setup: (BOARD.cell("a3"),)})
    other = game({}, {"move": move(BLACK, "a3")}, {setup: (BOARD.cell("b3"),)})

    assert (record.last_cell(), other.last_cell()) == (None, BOARD.cell("a3"))
    assert record.append(move(WHITE, "c1")).last_cell() == BOARD.cell("c1")


def test_resigning_out_of_turn_does_not_change_the_turn():
    """After Black's move it is White's turn, even if Black resigns."""
    record = game({}, {"move": move(BLACK, "a3")}, {"move": move(BLACK, "resign")})

    assert record.position(1).turn is record.position(2).turn is WHITE


@pytest.mark.parametrize("number", [-1, 3, 200])
def test_moves_after_the_end_are_refused(number):
    """The error contains the number of moves."""
    record = Game.of(BOARD, [0, 1])

    with pytest.raises(MoveNumberError, match=f"no move {number}: the game has 2 moves"):
        record.position(number)


@pytest.mark.parametrize(
    ("moves", "match"),
    [
        (("a1", "a1"), "a1 is not empty"),
        (("a1", "b2", "swap-pieces"), "swap"),
        (("a1", "b2", "swap-sides"), "swap"),
        (("swap-sides",), "swap"),
        (("a1", "swap-pieces", "swap-pieces"), "only the second move of the game"),
        (("a1", "swap-sides", "swap-sides"), "only the second move of the game"),
        (("resign", "a1"), "a1 after a resignation"),
        (("a1", "forfeit", "pass"), "pass after a forfeit"),
    ],
)
def test_illegal_moves_are_refused(moves, match):
    """The checker names the node."""
    record = Game.of(BOARD, [move(BLACK, name).action for name in moves])

    with pytest.raises(IllegalMoveError, match=match) as error:
        check(BOARD, record.nodes)
    assert error.value.node == len(moves)


@given(trees())
def test_a_game_that_is_cut_keeps_the_turn(record):
    """The turn stays even if only the next move gave it: in handicap games, and out of turn."""
    for moves in range(len(record.moves) + 1):
        try:
            position = record.position(moves)
        except TurnUnknownError:
            continue
        cut = record.cut(moves)
        assert cut.position() == position
        assert len(cut.moves) == moves


def test_a_given_turn_does_not_replace_a_coin_result():
    """A given turn does not replace the result of the coin."""
    coin = GameNode(turn=Color.WHITE, properties=(("XC", ("white",)),))
    game = Game.of(Board(3, 3), ["a1"]).append_node(coin)
    turned = game.with_turn(Color.BLACK)

    assert coin.properties in [node.properties for node in turned.nodes if node.turn is Color.WHITE]
    assert turned.position().turn is Color.BLACK
    assert game.with_turn(Color.WHITE) is game


def test_cutting_an_ordinary_game_records_no_turn():
    game = Game.of(Board(3, 3), ["a1", "b2", "c3"])
    assert [game.cut(moves).nodes for moves in range(4)] == [
        game.nodes[: 1 + moves] for moves in range(4)
    ]


def test_setup_between_two_moves_is_present_before_the_second():
    """Setup between two moves is present before the second."""
    record = game({}, {"move": move(BLACK, "a1")}, {"white": (0, 1)}, {"move": move(WHITE, "d4")})

    assert record.position(0) == Position.of(BOARD)
    assert record.position(1) == Position.of(BOARD, white="a1 b1", turn=WHITE)


def test_a_cursor_sets_the_current_position():
    """Moves that were taken back are kept, and have numbers."""
    record = Game(BOARD, Game.of(BOARD, [0, 1, 2]).nodes, cursor=1)

    assert record.position() == Position.of(BOARD, black="a1", turn=WHITE)
    assert record.position(3).black.count() == 2
    with pytest.raises(MoveNumberError):
        Game(BOARD, cursor=1)


@pytest.mark.parametrize("parents", [(), (0,), (-1, -1), (-1, 1), (-1, 0, 0, 1)])
def test_nodes_that_are_not_a_tree_are_refused(parents):
    """No root, two roots, a missing parent, and a late variation are refused."""
    with pytest.raises(ValueError, match="tree"):
        Game(BOARD, tuple(map(GameNode, parents)))


def test_a_game_can_start_from_a_position():
    """The game starts with the stones and the turn of the position."""
    position = Position.of(BOARD, black="a1 b1", white="d4", turn=BLACK)

    assert Game.of_position(position).position() == position
    assert Game.of_position(position).moves == ()


def test_without_removes_only_the_named_entry():
    game = Game.of(Board(3, 3), "a1 b2", info=(("PB", "Ann"), ("RE", "B+"), ("EV", "Club")))

    assert game.without("RE").info == (("PB", "Ann"), ("EV", "Club"))
    assert game.without("RE").moves == game.moves
    assert game.without("GN") == game


def test_a_game_made_of_lists_equals_one_made_of_tuples():
    """It can be a key, too: its nodes and entries are stored as tuples."""
    game = Game(Board(3), [GameNode()], [("PB", "Ann")])

    assert {game: 1} == {Game(Board(3), (GameNode(),), (("PB", "Ann"),)): 1}
    assert Game(Board(3), (node for node in [GameNode()])).nodes == (GameNode(),)


@given(trees(), st.data())
def test_a_game_takes_over_the_variations_of_its_record(record, data):
    """A game that ends where its record does becomes the record; one with a new move adds it."""
    line = record.main_line
    count = data.draw(st.integers(1, len(line)))
    bare = tuple(replace(node, comment="", properties=()) for node in line[:count])
    end = Move(data.draw(st.sampled_from(Color)), Special.SWAP_PIECES)  # of no other node
    part = Game(record.board, bare, record.info).with_variations(record)
    longer = Game(record.board, (*bare, GameNode(count - 1, end))).with_variations(record)
    lost = len(record.nodes) - len(part.nodes)

    assert part.main_line == line[:count]
    assert all(node in record.nodes for node in part.nodes[:count])
    assert (lost == 0) == (count == len(line))
    assert lost or part.nodes == record.nodes
    assert longer.main_line[-1].move == end
    assert len(longer.nodes) == len(record.nodes) + (count == len(line) or line[count].move != end)


@given(games())
def test_a_game_continues_its_beginnings_alone(game):
    """It continues a beginning without a result, and none of another game, comment or player."""
    game = replace(game, info=(("PB", "Ana"), ("RE", "B+")))
    for count in {0, len(game.moves) // 2, len(game.moves)}:
        start = game.cut(count).without("RE")
        assert game.continues(start)
        assert game.continues(start.without("PB"))
        assert not game.continues(replace(start, info=(("PB", "Bob"),)))
        assert not game.continues(replace(start, info=(("RE", "W+"),)))
        for at in {0, len(start.nodes) - 1}:
            nodes = [*start.nodes]
            nodes[at] = replace(nodes[at], comment="a note")
            assert not game.continues(replace(start, nodes=nodes))
        if game.moves:
            assert not start.continues(game)
