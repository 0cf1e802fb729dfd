#!/bin/sh
# The 20 largest folders of one file system. Reads only.
du -x -d 3 "${1:-/}" 2>/dev/null | sort -rn | head -20
