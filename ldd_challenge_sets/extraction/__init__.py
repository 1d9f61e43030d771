"""From a parallel corpus to the files of its challenge sets, in chunks."""
