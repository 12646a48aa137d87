// storage-crasher FOLDER: writes linked records through a merger from several threads until it is killed.
// Output: "ready", then one line per acknowledged record: "writer number transaction".
using Jackdaw.Pal;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Merging;
using Jackdaw.StorageCrasher;

if (args.Length != 1)
{
    Console.Error.WriteLine("usage: storage-crasher FOLDER");
    return 2;
}

using StorageEnvironment storage = StorageEnvironment.Open(new NativePlatform(), args[0], CrasherFormat.Options());
using var merger = new TransactionMerger(storage, "crasher", TimeProvider.System);
using Stream output = Console.OpenStandardOutput();
await Report.WriteAsync(output, "ready");
await Task.WhenAll(Enumerable.Range(0, CrasherFormat.WriterCount)
    .Select(writer => Task.Run(() => Writer.RunAsync(storage, merger, writer, output))));
return 0;
