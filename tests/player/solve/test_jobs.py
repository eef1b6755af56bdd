"""Solving by jobs: the winner does not depend on the workers, and the tree can be resumed."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random

import naive_solve
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import positions

from hsearch.connect.inferior import fill_in
from hsearch.hex.board import Board, Color, from_number
from hsearch.hex.position import Position, winner
from player.solve import guide, job_folder, job_tree, proof_number
from player.solve import job as jobs
from player.solve.coordinator import Coordinator
from player.solve.job import JobError, Worker, run_job
from player.solve.job_folder import JobFolder, JobFolderError, parts_below
from player.solve.job_tree import DOUBT, JobTree
from player.solve.lemmas import MOST
from player.solve.solver import Solver
from player.solve.table import INFINITE, Node, pack
from player.solve.verify import verify
from player.work.spread import WorkerPool

BOARD = Board(5, 5)
HARD = Position.of(BOARD).play(BOARD.cell("a2"))
SEEDS = st.integers(0, 2**32 - 1)


def search(tree, position, chance, workers):
    """Settle a position by workers that finish or die in random order; return the job count."""
    tables = [Worker(position.board, 1) for _ in range(workers)]
    out, done = [], 0
    while tree.winner(position) is None or out:
        job = tree.next_job([position]) if len(out) < workers else None
        if job is not None:
            assert job.number not in {other.number for other in out}
            out.append(job)
        elif out and chance.random() < 0.05:
            tree.give_up()
            out.clear()
        else:
            assert out, "an open position, and nothing to do"
            tree.keep(chance.choice(tables).run(out.pop(chance.randrange(len(out)))))
            done += 1
    assert tree.out == 0
    assert all(node.busy == 0 for node in tree.table.nodes.values())
    return done


@settings(max_examples=40)
@given(positions(stones="...BW"), st.integers(1, 4), st.integers(1, 4), SEEDS)
def test_jobs_find_the_winner_that_trying_every_move_finds(position, smallest, workers, seed):
    """The winner does not depend on the number of workers or on lost jobs."""
    if winner(position) is not None:
        return
    tree = JobTree(position.board, memory=1, smallest=smallest)
    search(tree, position, Random(seed), workers)  # noqa: S311
    won_by = tree.winner(position)

    assert won_by is naive_solve.outcome(position)
    # The winner needs only the carrier: all other cells may be the loser's.
    node = tree.find_settled(position)
    rest = position.empty & ~from_number(node.carrier, position.board.size)
    given = [position.black, position.white]
    given[won_by.opponent] = given[won_by.opponent] | rest
    assert naive_solve.outcome(Position(position.board, *given, position.turn)) is won_by


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 3, 8])
def test_jobs_settle_the_openings_of_5x5_like_the_solver(workers):
    """The openings of 5x5 are settled as by the solver, by jobs of a few positions in one tree."""
    tree, solver = JobTree(BOARD, smallest=2), Solver(BOARD)
    for cell in BOARD.cells:
        position = Position.of(BOARD).play(cell)
        search(tree, position, Random(cell), workers)  # noqa: S311
        assert tree.winner(position) == solver.outcome(position), BOARD.name(cell)


def test_one_worker_needs_hardly_more_positions_than_the_solver():
    """A worker keeps its table from job to job, so it repeats hardly any work."""
    tree, solver, position = JobTree(BOARD, smallest=5), Solver(BOARD), HARD
    solver.outcome(position)
    search(tree, position, Random(0), 1)  # noqa: S311

    assert tree.nodes <= 1.3 * solver.nodes + 5


def test_a_worker_reads_known_nodes_once(monkeypatch):
    """A worker skips nodes it has read, unless its table has dropped some since."""
    tree, worker, read = JobTree(BOARD, smallest=5), Worker(BOARD, 1), []
    monkeypatch.setattr(jobs, "unpack", lambda known, _board: read.append(known) or [])
    search(tree, HARD, Random(0), 1)  # noqa: S311
    read.clear()
    worker.learn(tree.pack_settled(5))
    worker.learn(tree.pack_settled(5))
    assert len(read) == 1

    worker.new_solver().solve(Position.of(BOARD), nodes=100)
    worker._table._forget()  # noqa: SLF001 - otherwise a search has to fill the table
    worker.learn(tree.pack_settled(5))
    assert len(read) == 2


def test_only_the_latest_results_of_jobs_are_stored(monkeypatch):
    """Old results are dropped: those below a position settled elsewhere are never used."""
    monkeypatch.setattr(job_tree, "MOST_RESULTS", 3)
    tree, worker, kept = JobTree(BOARD, smallest=1), Worker(BOARD, 1), 0
    while (job := tree.next_job([HARD])) is not None:
        tree.keep(worker.run(job))
        kept = max(kept, len(tree._results))  # noqa: SLF001

    assert kept == 3
    assert tree.winner(HARD) == Solver(BOARD).outcome(HARD)


def test_a_worker_receives_the_lemmas_of_others():
    """Their lemmas come with the next job; a worker's own lemmas are not sent back to it."""
    other = Position.of(BOARD).play(BOARD.cell("a4"))
    tree, first = JobTree(BOARD), Worker(BOARD, 1)
    asked = tree.next_job([HARD])
    tree.keep(first.run(asked))
    job = tree.next_job([other])
    told = Worker(BOARD, 1).run(replace(asked, number=3, lemmas=job.lemmas))

    assert asked.lemmas == ()
    assert (told.nodes, told.node.winner) == (0, tree.winner(HARD))
    learned = first._shared.lemmas.counts  # noqa: SLF001 - how many
    first.run(replace(job, batches=(), nodes=0))
    assert first._shared.lemmas.counts == learned  # noqa: SLF001


def test_the_tree_considers_few_moves_if_the_net_advises(tmp_path, monkeypatch):
    """A short job asks the net; then the tree considers few moves, and so does a resumed tree."""
    monkeypatch.setattr(proof_number, "WORTH", 1)
    board = Board(6, 6)
    position = Position.of(board).play(board.cell("a4"))
    tree, worker = JobTree(board, smallest=30), Worker(board, 1)
    tree.keep(worker.run(tree.next_job([position])))
    folder, again = JobFolder(tmp_path / "f", board), JobTree(board)
    with folder.lock():
        folder.save(tree)
    folder.load(again)

    for each in (tree, again):
        node = each.table.nodes[each.of(position).key]
        assert node.is_advised
        assert node.numbers != (1, 1)
        few = each._descent.few(node)  # noqa: SLF001
        assert few == 1 + (len(node.moves) + 3) // guide.ADVISED
    assert tree.next_job([position]).black == again.next_job([position]).black


def after_a_job(tmp_path):
    """Return a tree after its first job, and the folder in which it is saved."""
    tree, folder = JobTree(BOARD, smallest=1), JobFolder(tmp_path / "f", BOARD)
    tree.keep(Worker(BOARD, 1).run(tree.next_job([HARD])))
    with folder.lock():
        folder.save(tree)
    return tree, folder


def upper_tree(folder):
    """Return the head and the lines of the upper tree in a folder."""
    return map(json.loads, (folder.path / "tree.jsonl").read_text().splitlines())


def rewrite(folder, head, lines):
    """Write an upper tree with these lines, and their checksum."""
    payload = "".join(f"{json.dumps(line)}\n" for line in lines)
    head |= {"sha256": hashlib.sha256(payload.encode()).hexdigest()}
    (folder.path / "tree.jsonl").write_text(f"{json.dumps(head)}\n{payload}")


def test_proof_numbers_too_large_for_the_table_are_infinite(tmp_path):
    """Numbers too large for the table on disk are read as infinite."""
    _, folder = after_a_job(tmp_path)
    head, *lines = upper_tree(folder)
    rewrite(folder, head, [line | {"numbers": [1 << 61, 1 << 61]} for line in lines])
    again = JobTree(BOARD)
    folder.load(again)
    again.next_job([HARD])
    with folder.lock():
        folder.save(again)

    assert {node.numbers for _, node in again.open_nodes()} == {(INFINITE, INFINITE)}


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs a device")
def test_a_device_is_not_read_as_a_tree(tmp_path):
    """One without end took all memory."""
    _, folder = after_a_job(tmp_path)
    (folder.path / "tree.jsonl").unlink()
    (folder.path / "tree.jsonl").symlink_to("/dev/null")

    with pytest.raises(OSError, match="a device, not a file"):
        folder.load(JobTree(BOARD))


@pytest.mark.parametrize(
    "changed",
    [
        lambda line: {"key": line["key"] + "00"},
        lambda line: {"key": line["key"][:-1] + "2"},
        lambda line: {"moves": line["moves"] * 2},
    ],
    ids=["key", "turn", "moves"],
)
def test_an_impossible_position_of_a_tree_is_rejected(tmp_path, changed):
    """Another search ended in an error of numpy when it saved such a key."""
    _, folder = after_a_job(tmp_path)
    head, first, *lines = upper_tree(folder)
    rewrite(folder, head, [first | changed(first), *lines])

    with pytest.raises(JobFolderError, match=r"tree\.jsonl:2: no position: a key of another board"):
        folder.load(JobTree(BOARD))


def test_a_job_searches_a_minimum_of_positions():
    """A job searches at least LEAST positions although its bounds are exceeded at once."""
    board = Board(7, 7)
    job = replace(JobTree(board).next_job([Position.of(board)]), bounds=(1, 1))
    long, short = (Worker(board, 1).run(replace(job, nodes=most)) for most in (1000, 3))

    assert jobs.LEAST <= long.nodes < 100
    assert short.nodes == 3


def open_by_hand(tree, place, numbers):
    """Expand a position of the tree by hand, with children of these phi and delta, by cell."""
    node = tree.table.node(place.key)
    node.stones, node.moves = (place.black, place.white), tuple(numbers)
    node.common, node.is_advised = sum(1 << cell for cell in numbers), True
    children = []
    for cell, (phi, delta) in numbers.items():
        child = tree._descent.after(node, place.turn, cell)  # noqa: SLF001
        tree.table.put_back(child.key, Node(phi, delta))
        children.append(child)
    return children


def test_second_jobs_avoid_hardly_searched_positions():
    """A second job goes to a hardly searched position only when no other is left."""
    other = Position.of(BOARD).play(BOARD.cell("a4"))
    tree, worker = JobTree(BOARD, smallest=1), Worker(BOARD, 1)
    tree.keep(worker.run(tree.next_job([HARD])))
    given = [tree.next_job([HARD, other]) for _ in range(3)]
    wide = JobTree(BOARD)
    open_by_hand(wide, wide.of(HARD), dict.fromkeys((3, 7, 11, 13), (1, 9)))  # two are needed
    wide_given = [wide.next_job([HARD, other]) for _ in range(3)]

    for jobs_of in (given, wide_given):
        assert [job.black == tree.of(other).black for job in jobs_of] == [False, True, False]


def test_jobs_refute_all_replies_before_they_try_second_best_moves():
    """Of seven replies the first two count now; Black, who seems to win, has two answers each."""
    board = Board(7, 7)
    tree, position = JobTree(board), Position.of(board).play(board.cell("d4"))
    replies = dict.fromkeys((8, 10, 12, 14, 16, 18, 20), (1, 9))
    order, answers = [], {}
    for reply, child in zip(replies, open_by_hand(tree, tree.of(position), replies), strict=True):
        if reply in (8, 10):
            for answer, leaf in zip(
                (30, 32), open_by_hand(tree, child, {30: (9, 1), 32: (9, 2)}), strict=True
            ):
                answers[leaf.black, leaf.white] = reply, answer
        else:
            answers[child.black, child.white] = reply, None
    while (job := tree.next_job([position])) is not None:
        order.append(answers[job.black, job.white])

    assert sorted(order[:2]) == [(8, 30), (10, 30)]
    assert sorted(order[2:7]) == [(reply, None) for reply in (12, 14, 16, 18, 20)]
    assert sorted(order[7:]) == [(8, 32), (10, 32)]


def test_jobs_beside_others_are_short():
    """A job is as long as it may be alone, and a small share of the work beside others."""
    tree = JobTree(BOARD, smallest=1000)
    other = Position.of(BOARD).play(BOARD.cell("a4"))
    open_by_hand(tree, tree.of(HARD), dict.fromkeys(range(10, 18), (1, 9)))
    alone, root = tree.next_job([HARD]), tree.table.nodes[tree.of(HARD).key]
    second, elsewhere = tree.next_job([HARD]), tree.next_job([other])
    sizes = []
    for busy, work in ((2, 3100), (15, 31900), (15, 900)):
        root.busy, root.work = busy, work
        sizes.append(tree.next_job([HARD]).nodes)

    assert alone.nodes == 2 * tree.smallest
    assert second.nodes == job_tree.START // job_tree.SHARE
    assert elsewhere.nodes == tree.smallest
    assert sizes == [3200 // job_tree.SHARE // 2, 32000 // 16 // 15, job_tree.LEAST]


def test_open_jobs_differ_and_grow_with_doubt():
    """Open jobs differ, and a position left open gets a larger job."""
    tree, worker = JobTree(BOARD, smallest=1), Worker(BOARD, 1)
    first = tree.next_job([HARD])
    assert tree.next_job([HARD]) is None
    tree.keep(worker.run(first))
    second, third = tree.next_job([HARD]), tree.next_job([HARD])

    assert (second.black, second.white) != (third.black, third.white)
    assert first.nodes < second.nodes <= DOUBT


def test_results_of_other_jobs_do_not_overwrite_expanded_nodes():
    """The result of another job does not overwrite the node."""
    tree, worker = JobTree(BOARD, smallest=1), Worker(BOARD, 1)
    tree.keep(worker.run(tree.next_job([HARD])))
    ((key, node),) = tree.open_nodes()
    result = worker.run(tree.next_job([Position.of(BOARD).play(BOARD.cell("a4"))]))
    tree.keep(replace(result, batch=pack([(key, Node(7, 7))], BOARD)))

    assert dict(tree.open_nodes())[key] is node


@settings(max_examples=60)
@given(positions(stones="....BW"), st.integers(1, 6))
def test_losing_moves_lose_and_the_remaining_ones_include_a_win(position, nodes):
    """After an unfinished search, no losing move wins, and a win is among the rest."""
    solver = Solver(position.board)
    answer = solver.solve(position, nodes=nodes)
    left = solver.remaining(position)
    if left is None:
        assert answer.winner is not None
        return
    wins = set(naive_solve.winning_moves(position))

    assert wins.isdisjoint(left.losing.search(1))
    if wins:
        assert wins & {move.cell for move in left.moves}
    every = left.losing.count() + left.inferior.count() + len(left.moves)
    assert every == position.empty.count()


def test_filled_cells_are_not_listed_as_losing():
    """A move in a filled cell is a pass, and nothing is proved about it."""
    position = Position.of(Board(8, 8), black="b7", white="g2 d4")
    solver = Solver(position.board)
    solver.solve(position, nodes=3)
    losing = solver.remaining(position).losing
    filled = position.empty & ~fill_in(position).position.empty

    assert losing.any()
    assert filled.any()
    assert not (losing & filled).any()


def test_a_folder_resumes_where_a_process_ended(tmp_path):
    """Each coordinator ends after one job; the last has the winner and writes the proof."""
    expected = Solver(BOARD).outcome(HARD)
    jobs = 0
    for _ in range(40):
        folder, tree = JobFolder(tmp_path / "f", BOARD), JobTree(BOARD, memory=7, smallest=1)
        with folder.lock():
            folder.load(tree)
            assert tree.jobs == jobs
            if tree.winner(HARD) is not None:
                break
            coordinator = Coordinator(tree, [("a2", HARD)], folder)
            ((function, job),) = coordinator.take(1)
            tree.keep(function(job))
            coordinator.renew()
            folder.save(tree)
            jobs = tree.jobs
    assert tree.winner(HARD) == expected
    assert jobs > 3

    folder = JobFolder(tmp_path / "f", BOARD)
    with folder.lock():
        Coordinator(tree, [("a2", HARD)], folder, proofs=True).run()
    proved = verify(folder.proof("a2").read_text())
    assert (proved.position, proved.winner) == (HARD, expected)


def test_a_hard_position_does_not_keep_the_others_waiting(tmp_path):
    """Positions take turns, and a resumed search knows the doubtful positions."""
    board = Board(7, 7)
    named = [(name, Position.of(board).play(board.cell(name))) for name in ("a4", "g2", "a2")]
    folder, tree = JobFolder(tmp_path / "f", board), JobTree(board, smallest=5)
    coordinator = Coordinator(tree, named, folder, turn=5)
    looks = []
    with folder.lock():
        for _ in range(20):
            ((function, job),) = coordinator.take(1)
            tree.keep(function(job))
            looks.append([tree.doubt(position).nodes for _, position in named])
        folder.save(tree)
    again = JobTree(board)
    folder.load(again)

    # The first position searches 5 nodes, then each of the others; only then may one reach 20.
    assert [[nodes >= 5 for nodes in each] for each in looks if max(each) < 20][-1] == [True] * 3
    assert looks[0][0] > 0 == looks[0][1] == looks[0][2]
    assert min(looks[-1]) >= 5
    assert [again.doubt(position).nodes for _, position in named] == looks[-1]


@pytest.mark.slow
def test_the_proof_of_a_large_search_is_written_in_parts(tmp_path):
    """Workers may die; a new coordinator uses the parts already written and removes them later."""
    board = Board(6, 6)
    position = Position.of(board).play(board.cell("b4"))
    folder, tree = JobFolder(tmp_path / "f", board), JobTree(board, smallest=5)
    search(tree, position, Random(0), 2)  # noqa: S311
    parts = list(parts_below(tree, position, 3, 20))
    assert len(parts) > 3
    assert list(tree._places) == [position], "all that was looked at for parts stays"  # noqa: SLF001

    def proving():
        coordinator = Coordinator(tree, [("b4", position)], folder, proofs=True)
        coordinator.part_sizes = 3, 20
        return coordinator

    with folder.lock():
        first = proving()
        calls = first.take(4)
        for (function, job), part in zip(calls[:2], parts[:2], strict=True):
            assert job.position == part
            first._keep(function(job))  # noqa: SLF001 - as workers do
        first.renew()
        assert [job.part for _, job in first.take(2)] == [2, 3]
        assert first.take(len(parts))[-1][1].part == len(parts) - 1
        assert not first.take(1), "the whole, while parts are missing"
        written = sorted(tmp_path.glob("f/parts/*.proof"))
        assert len(written) == 2
        written[0].write_text("damaged")
        calls = proving().take(len(parts))
        assert len(calls) == len(parts) - 1
        proving().run()

    proved = verify(folder.proof("b4").read_text())
    assert (proved.position, proved.winner) == (position, Color.BLACK)
    assert not list(tmp_path.glob("f/parts/*"))


def test_a_kill_between_two_files_loses_no_settled_position(tmp_path, monkeypatch):
    """What the newer table has settled is not open again in the older tree."""
    folder, tree = JobFolder(tmp_path / "f", BOARD), JobTree(BOARD, memory=7, smallest=1)
    with folder.lock():
        while (job := tree.next_job([HARD])) is not None:
            folder.save(tree)
            tree.keep(run_job(job))
        monkeypatch.setattr(job_folder, "write_whole", _stop)
        with pytest.raises(InterruptedError):
            folder.save(tree)

    again = JobTree(BOARD, memory=7)
    folder.load(again)

    assert again.jobs < tree.jobs
    assert again.winner(HARD) is tree.winner(HARD) is not None
    assert again.table.results().keys() == tree.table.results().keys()


def _stop(*_arguments):
    raise InterruptedError


def test_the_tree_is_saved_even_if_a_worker_fails(tmp_path):
    """A job of another version of the program is refused, and the tree is saved all the same."""
    folder, tree = JobFolder(tmp_path / "f", BOARD), JobTree(BOARD)
    job = tree.next_job([HARD])
    with pytest.raises(JobError, match=r"is hsearch [\d.]+, the job is of hsearch 0\.0\.9"):
        run_job(replace(job, version="0.0.9"))
    tree.give_up()
    coordinator = Coordinator(tree, [("a2", HARD)], folder)
    taken = coordinator.take
    coordinator.take = lambda most: [(f, replace(j, version="0.0.9")) for f, j in taken(most)]
    with folder.lock(), pytest.raises(JobError):
        coordinator.run()
    assert (tmp_path / "f" / "tree.jsonl").exists()


def test_one_folder_has_one_coordinator(tmp_path):
    """A second coordinator is refused, and so is a folder of another board."""
    folder = JobFolder(tmp_path / "f", BOARD)
    with folder.lock():
        other = JobFolder(tmp_path / "f", BOARD)
        with pytest.raises(JobFolderError, match="another process"), other.lock():
            pass
        folder.save(JobTree(BOARD))
    for name in ("table", "tree.jsonl"):
        with pytest.raises(JobFolderError, match="5x5, not 4x4"):
            JobFolder(tmp_path / "f", Board(4, 4)).load(JobTree(Board(4, 4)))
        (tmp_path / "f" / name).unlink()


def test_a_search_continues_if_its_files_cannot_be_written(tmp_path):
    """The search continues, and warns of the files that could not be written."""
    folder, tree, heard, warned = JobFolder(tmp_path / "f", BOARD), JobTree(BOARD), [], []
    coordinator = Coordinator(tree, [("a2", HARD)], folder)
    coordinator.on_progress, coordinator.on_warning = heard.append, warned.append
    coordinator.run()  # the folder does not exist

    assert tree.winner(HARD) == Color.WHITE
    assert (heard[-1].settled_count, heard[-1].jobs) == (1, tree.jobs)
    assert {text.partition(":")[0] for text in warned} == {
        str(tmp_path / "f" / name) for name in ("jobs.jsonl", "table")
    }


def test_an_unwritable_proof_is_tried_only_once(tmp_path):
    """Remote workers are not asked again for a proof that could not be written."""
    folder, tree, warned = JobFolder(tmp_path / "f", BOARD), JobTree(BOARD), []
    coordinator = Coordinator(tree, [("a2", HARD)], folder, proofs=True)
    coordinator.on_warning = warned.append
    coordinator.run(WorkerPool(executor=lambda: ThreadPoolExecutor(1)))  # the folder does not exist

    assert tree.winner(HARD) == Color.WHITE
    assert sum("/proofs" in text for text in warned) == 1


def test_there_are_no_more_lemmas_than_nodes_in_the_table():
    """The limit holds for a solver, for a worker and for the tree of jobs."""
    board = Board(11)
    searches = Worker(board, 1), JobTree(board, memory=1)
    alone = Solver(board, memory=1)._search.shared  # noqa: SLF001
    for shared in alone, *(each._descent._shared for each in searches):  # noqa: SLF001
        assert shared.lemmas._most == shared.table.most < MOST  # noqa: SLF001
