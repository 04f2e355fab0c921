"""Long work in pieces: on any executor, with results kept in a folder, or only one part of it."""

from concordant.work.context import Shard, ShardDone, Work, current_work, piece_size, working
from concordant.work.draws import Draws
from concordant.work.pieces import in_pieces
from concordant.work.processes import own_processes
from concordant.work.store import PieceStore, digest, versions, write_at_once

__all__ = [
    "Draws",
    "PieceStore",
    "Shard",
    "ShardDone",
    "Work",
    "current_work",
    "digest",
    "in_pieces",
    "own_processes",
    "piece_size",
    "versions",
    "working",
    "write_at_once",
]
