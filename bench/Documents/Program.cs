using Jackdaw.DocumentsBench;

// Usage: DocumentsBench branches [folder] [tasks] [seconds] [branches] |
//   put [folder] [tasks] [seconds] [documents before] | get [documents] [bytes] | journal folder bytes |
//   recovery [folder] [bytes] [branches] | flush [folder] [tasks] [seconds] | steady [folder] [tasks] [minutes] [svg file]
string what = args.Length > 0 ? args[0] : "put";
return what switch
{
    "put" => await PutLoad.RunAsync(args[1..]).ConfigureAwait(false),
    "get" => await GetLoad.RunAsync(args[1..]).ConfigureAwait(false),
    "branches" => await BranchLoad.RunAsync(args[1..]).ConfigureAwait(false),
    "recovery" => FamilyRecovery.Run(args[1..]),
    "flush" => await FlushLatency.RunAsync(args[1..]).ConfigureAwait(false),
    "steady" => await SteadyLoad.RunAsync(args[1..]).ConfigureAwait(false),
    "journal" => await JournalLoad.RunAsync(args[1], long.Parse(args[2])).ConfigureAwait(false),
    _ => throw new ArgumentException($"'{what}' is not a load; give put, get, branches, recovery, flush, steady or journal."),
};
