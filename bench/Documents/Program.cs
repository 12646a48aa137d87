using Jackdaw.DocumentsBench;

// Usage: DocumentsBench put [folder] [tasks] [seconds] | get [documents] [bytes]
string what = args.Length > 0 ? args[0] : "put";
return what switch
{
    "put" => await PutLoad.RunAsync(args[1..]).ConfigureAwait(false),
    "get" => await GetLoad.RunAsync(args[1..]).ConfigureAwait(false),
    _ => throw new ArgumentException($"'{what}' is not a load; give put or get."),
};
