# A board for visitors in a container: see docs/how-to/board.md.
FROM python:3.12-slim

# Kernels are compiled for any processor of this kind, not for the one that builds the image.
ENV NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES= NUMBA_CACHE_DIR=/var/cache/hsearch
ENV PYTHONUNBUFFERED=1 HSEARCH_NAME=localhost

WORKDIR /src
COPY pyproject.toml README.md LICENSE CHANGELOG.md ./
COPY hsearch hsearch
COPY player player
COPY positions positions
RUN pip install --no-cache-dir '.[board]' && rm -r /src/*

RUN useradd --system --create-home visitor && install -d -o visitor /var/cache/hsearch
USER visitor
WORKDIR /home/visitor
RUN hsearch warm --size 7 --size 11 --size 13 --size 14 --size 16 --size 19

EXPOSE 8765
CMD exec hsearch board --public --no-open --host 0.0.0.0 --port 8765 --host-name "$HSEARCH_NAME"
