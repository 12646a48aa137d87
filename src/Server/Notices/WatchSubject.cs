using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Extensions;

namespace Jackdaw.Server.Notices;

/// <summary>The subjects of watches. Those of the first group are counted, those of the second are sets of names. After them come the subjects of each
/// extension: <see cref="WatchSubjects.Of"/>.</summary>
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

    /// <summary>What never changes in this version. Its watches are accepted, and nothing matches them.</summary>
    Changeless,

    FirstOfExtensions,
}

/// <summary>The subjects of watches of an extension.</summary>
internal enum ExtensionWatch
{
    /// <summary>Everything.</summary>
    All,

    /// <summary>Everything with a name, of any document.</summary>
    OfName,

    /// <summary>Everything of one document.</summary>
    OfDocument,

    /// <summary>Everything with a name, of one document.</summary>
    OfDocumentAndName,
}

/// <summary>The subjects of extensions.</summary>
internal static class WatchSubjects
{
    private const int PerExtension = (int)ExtensionWatch.OfDocumentAndName + 1;

    /// <summary>All subjects, known or not.</summary>
    public const int Count = (int)WatchSubject.FirstOfExtensions + (DocumentExtensions.SlotsMax * PerExtension);

    /// <param name="slot">The slot of the extension.</param>
    public static WatchSubject Of(int slot, ExtensionWatch watch) => WatchSubject.FirstOfExtensions + (slot * PerExtension) + (int)watch;
}

/// <summary>How a command names its subject.</summary>
internal enum WatchKey
{
    /// <summary>It names nothing: everything of the kind is watched.</summary>
    None,

    /// <summary>A text in Param.</summary>
    Text,

    /// <summary>A number in Param, as a text.</summary>
    Number,

    /// <summary>An id and a name, in Params.</summary>
    Pair,
}

/// <summary>A kind of watch, under the name that commands give it.</summary>
/// <param name="Name">What follows <c>watch-</c> and <c>unwatch-</c> in the command.</param>
/// <param name="Subject">The subject.</param>
/// <param name="Key">How a command names its subject.</param>
/// <param name="Access">The access that the watcher needs.</param>
internal sealed record WatchKind(string Name, WatchSubject Subject, WatchKey Key, Access Access)
{
    /// <summary>The subject of messages about missing access.</summary>
    public string Title { get; } = $"The command watch-{Name}";
}
