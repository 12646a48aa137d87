using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Extensions;

namespace Jackdaw.Server.Notices;

/// <summary>What can be watched. Those of the first group are counted, those of the second are sets of names; behind them come those of
/// each extension: <see cref="WatchSubjects.Of"/>.</summary>
internal enum WatchSubject
{
    Documents,
    Indexes,
    Operations,
    Caches,
    Topology,

    Document,
    Prefix,
    Collection,
    Index,
    Operation,

    FirstOfExtensions,
}

/// <summary>What can be watched of an extension.</summary>
internal enum ExtensionWatch
{
    /// <summary>Everything.</summary>
    All,

    /// <summary>What has a name, of whatever document.</summary>
    OfName,

    /// <summary>Everything of one document.</summary>
    OfDocument,

    /// <summary>What has a name, of one document.</summary>
    OfDocumentAndName,
}

/// <summary>The subjects of extensions.</summary>
internal static class WatchSubjects
{
    private const int PerExtension = (int)ExtensionWatch.OfDocumentAndName + 1;

    /// <summary>All subjects, known or not.</summary>
    public const int Count = (int)WatchSubject.FirstOfExtensions + (DocumentExtensions.SlotsMax * PerExtension);

    /// <param name="slot">Of the extension.</param>
    public static WatchSubject Of(int slot, ExtensionWatch watch) => WatchSubject.FirstOfExtensions + (slot * PerExtension) + (int)watch;
}

/// <summary>What names the watched thing.</summary>
internal enum WatchKey
{
    /// <summary>Nothing: all of them are watched.</summary>
    None,

    /// <summary>A text in Param.</summary>
    Text,

    /// <summary>A number in Param, as a text.</summary>
    Number,

    /// <summary>An id and a name, in Params.</summary>
    Pair,
}

/// <summary>A kind of watch as commands name it.</summary>
/// <param name="Name">What follows <c>watch-</c> and <c>unwatch-</c> in the command.</param>
/// <param name="Subject">What is watched.</param>
/// <param name="Key">What names the watched thing.</param>
/// <param name="Access">What the watcher needs.</param>
internal sealed record WatchKind(string Name, WatchSubject Subject, WatchKey Key, Access Access)
{
    /// <summary>Subject of messages about what it needs.</summary>
    public string Title { get; } = $"The command watch-{Name}";
}
