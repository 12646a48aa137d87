// engine-bench MODE FOLDER: the storage engine in process, in the output format of bench/peers ("name metric value unit").
// seed-seq, seed-rnd: 10,000 durable transactions of 100 values of 128 bytes, sequential or random 16-character keys (TX overrides).
// micro: cost per page of checksum, copy and comparison.
// cold-*: what bench/run-cold.sh calls, reads of a storage that is not in memory.
// read: one million values of 1 KB, then read transactions with one random get each, on 1 and 2 threads.
// space: where free space is taken from, against a file that only grows; ahead: bulk loads into a file that is allocated ahead. Both count
// the writes of the device: give them a file system of their own.
// direct: large runs that bypass the journal, against those that go through it; ROUNDS overrides how often.
using Jackdaw.Bench.Engine;

if (args.Length != 2)
{
    Console.Error.WriteLine("usage: engine-bench seed-seq|seed-rnd|read|cold-...|micro|space|ahead|direct FOLDER");
    return 2;
}

switch (args[0])
{
    case "seed-seq":
    case "seed-rnd":
        SeedBench.Run(args[1], sequential: args[0] == "seed-seq");
        return 0;
    case { } mode when mode.StartsWith("cold-", StringComparison.Ordinal):
        ColdBench.Run(mode, args[1]);
        return 0;
    case "micro":
        MicroBench.Run();
        return 0;
    case "read":
        ReadBench.Run(args[1]);
        return 0;
    case "space":
        SpaceBench.Run(args[1]);
        return 0;
    case "ahead":
        AheadBench.Run(args[1]);
        return 0;
    case "direct":
        DirectBench.Run(args[1]);
        return 0;
    default:
        Console.Error.WriteLine($"unknown mode {args[0]}");
        return 2;
}
