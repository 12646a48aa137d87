namespace Jackdaw.Search.Analysis;

/// <summary>The types that the code of a user's analyzer may name beside the base library: Lucene's tokenizers and filters, except those that read files, load
/// types by name, compile dictionaries, or run regular expressions without a limit.</summary>
public static class AllowedAnalysis
{
    private const string Analysis = "Lucene.Net.Analysis.";

    /// <summary>Namespaces below <see cref="Analysis"/> with languages: their analyzers, stemmers and filters.</summary>
    private static readonly HashSet<string> s_namespaces =
    [
        .. ("Ar,Bg,Br,Ca,Cjk,Ckb,Cn,Core,Cz,Da,De,El,En,Es,Eu,Fa,Fi,Fr,Ga,Gl,Hi,Hu,Hy,Id,In,It,Lv,Miscellaneous,NGram,Nl,No,Path,Payloads,"
            + "Position,Pt,Reverse,Ro,Ru,Shingle,Snowball,Standard,Sv,Th,TokenAttributes,Tr,Util").Split(','),
    ];

    /// <summary>Members that allocate memory of a given size, or that return readers of resources.</summary>
    private static readonly HashSet<string> s_refusedMembers =
        ["ResizeBuffer", "Grow", "GrowBuffer", "set_Length", "SetLength", "GetStopwords", "LoadStopwordSet", "ToStringEmpty", "GetType", "GetHashCode"];

    private static readonly HashSet<string> s_others =
    [
        "Lucene.Net.Util.LuceneVersion", "Lucene.Net.Util.AttributeSource", "Lucene.Net.Util.IAttribute", "Lucene.Net.Util.Attribute",
        "J2N.Text.ICharSequence", "J2N.Text.IAppendable", "System.IO.TextReader", "System.IO.StringReader", "System.IO.IDisposable",
    ];

    /// <summary>True when an analyzer may name a type or member.</summary>
    /// <param name="type">The full name in the form of metadata, with '/' before a nested type.</param>
    /// <param name="member">The name in the form of metadata; null for the type itself.</param>
    public static bool Allows(string type, string? member)
    {
        if (member is not null && s_refusedMembers.Contains(member))
        {
            return false;
        }

        return s_others.Contains(type) || CustomAnalyzer.IsReady(type)
            || (type.StartsWith(Analysis, StringComparison.Ordinal) && AllowsType(type[Analysis.Length..]));
    }

    /// <summary>Whether a namespace is Lucene's. The arguments of constructors of its types are checked too.</summary>
    public static bool IsOfLucene(string? space) => space?.StartsWith("Lucene.", StringComparison.Ordinal) == true;

    private static bool AllowsType(string name)
    {
        int dot = name.LastIndexOf('.');
        string type = name[(dot + 1)..];
        return (dot < 0 || s_namespaces.Contains(name[..dot]))
            && !type.Contains("Factory", StringComparison.Ordinal) && !type.Contains("Loader", StringComparison.Ordinal)
            && !type.Contains("Pattern", StringComparison.Ordinal) && !type.Contains("Resource", StringComparison.Ordinal)
            && !type.Contains("Stream/", StringComparison.Ordinal);
    }
}
