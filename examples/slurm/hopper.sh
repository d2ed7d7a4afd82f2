#!/bin/bash
# A hopper on two nodes, which continues by itself until it is done:
#   sbatch examples/slurm/hopper.sh
#
# One rank per pair of cores here; see docs/book/src/ranks.md on how to choose.
#SBATCH --job-name=hopper
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=32
#SBATCH --cpus-per-task=2
#SBATCH --time=04:00:00
# SIGTERM to all ranks two minutes before the time is up: rank 0 writes a checkpoint, and all end.
#SBATCH --signal=TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append

set -u
scene=scenes/hopper.toml
out=${SCRATCH:-$PWD}/out/hopper

# Starts the run, or continues it from its checkpoint, on any number of ranks.
srun --kill-on-bad-exit=1 impinge run "$scene" -o "$out" --resume --quiet --threads "$SLURM_CPUS_PER_TASK"
code=$?

# 130: stopped by the signal, with a checkpoint.
if [ "$code" -eq 130 ]; then
    scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"
