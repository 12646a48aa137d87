using Jackdaw.DocumentsBench;

// Usage: DocumentsBench branches [folder] [tasks] [seconds] [branches] |
//   put [folder] [tasks] [seconds] [documents before] [consumers of the feed] | get [documents] [bytes] | journal folder bytes |
//   idle folder branches [before] | recovery [folder] [bytes] [branches] | flush [folder] [tasks] [seconds] |
//   steady [folder] [tasks] [minutes] [svg file] | tape | counters [folder] [tasks] [seconds] | revisions [folder] [tasks] [seconds]
string what = args.Length > 0 ? args[0] : "put";
return what switch
{
    "put" => await PutLoad.RunAsync(args[1..]).ConfigureAwait(false),
    "get" => await GetLoad.RunAsync(args[1..]).ConfigureAwait(false),
    "branches" => await BranchLoad.RunAsync(args[1..]).ConfigureAwait(false),
    "recovery" => FamilyRecovery.Run(args[1..]),
    "idle" => await IdleBranches.RunAsync(args[1..]).ConfigureAwait(false),
    "flush" => await FlushLatency.RunAsync(args[1..]).ConfigureAwait(false),
    "steady" => await SteadyLoad.RunAsync(args[1..]).ConfigureAwait(false),
    "tape" => TapeBench.Run(),
    "counters" => await CounterLoad.RunAsync(args[1..]).ConfigureAwait(false),
    "revisions" => await RevisionLoad.RunAsync(args[1..]).ConfigureAwait(false),
    "journal" => await JournalLoad.RunAsync(args[1], long.Parse(args[2])).ConfigureAwait(false),
    _ => throw new ArgumentException(
        $"'{what}' is not a load; give put, get, branches, idle, recovery, flush, steady, journal, tape, counters or revisions."),
};
