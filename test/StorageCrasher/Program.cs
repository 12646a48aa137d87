// storage-crasher FOLDER
//   writes linked records to one storage from several threads until it is killed.
// storage-crasher FOLDER BRANCHES write|recover|hungry|cut [SEED]
//   the same with branches that share the root's journals. write: until SIGTERM, then closes in order. recover: opens and does
//   nothing. hungry: takes memory until the kernel ends it. cut: ends the disk at a moment that SEED decides.
// Output: "opening", "ready", then a line for each acknowledged record: "writer number transaction".
using System.Globalization;
using Jackdaw.Pal.Native;
using Jackdaw.StorageCrasher;

if (args.Length is 0 or 2 || (args.Length > 2 && !FamilyRun.Modes.Contains(args[2])))
{
    Console.Error.WriteLine("usage: storage-crasher FOLDER [BRANCHES write|recover|hungry|cut [SEED]]");
    return 2;
}

using var report = new Report();
if (args.Length == 1)
{
    await SingleRun.RunAsync(new NativePlatform(), args[0], report);
    return 0;
}

int seed = args.Length > 3 ? int.Parse(args[3], CultureInfo.InvariantCulture) : 0;
new FamilyRun(args[0], int.Parse(args[1], CultureInfo.InvariantCulture), seed, report).Run(args[2]);
return 0;
