using Jackdaw.Search.Segments.Tests.Proofs;

namespace Jackdaw.Search.Segments.Tests;

/// <summary>What a test starts as a process of its own, which does not have all instructions of the processor: "write FOLDER" or "read FOLDER".</summary>
internal static class Program
{
    private static void Main(string[] arguments)
    {
        if (arguments is not [var verb, var folder])
        {
            throw new ArgumentException("write FOLDER | read FOLDER");
        }

        Console.Write(verb == "write" ? SegmentFiles.Write(folder) : SegmentFiles.Read(folder));
    }
}
