using Lucene.Net.Analysis;
using Lucene.Net.Util;

namespace Jackdaw.Search.Analysis;

/// <summary>An analyzer of the server from which users can derive theirs, because Lucene's own analyzers are sealed.</summary>
public abstract class ReadyAnalyzer : Analyzer
{
    private protected const LuceneVersion Today = LuceneVersion.LUCENE_48;

    // The tokenizer of the stream that is being made on this thread: a method in the form of Lucene.Net 3 gives only the filters around it.
    [ThreadStatic]
    private static Tokenizer? s_source;

    // Only the classes of this folder have other tokenizers.
    private protected ReadyAnalyzer(LuceneVersion version) => Version = version;

    private protected LuceneVersion Version { get; }

    /// <summary>The words of a text, in the form of Lucene.Net 3: a class overrides it to put filters around the words of its base class.</summary>
    public virtual TokenStream TokenStream(string fieldName, TextReader reader)
    {
        s_source = MakeSource(reader);
        return AddFilters(s_source);
    }

    /// <summary>The tokenizer and the filters. A class overrides it to put filters around those of its base class.</summary>
    protected override TokenStreamComponents CreateComponents(string fieldName, TextReader reader)
    {
        s_source = null;
        TokenStream words = TokenStream(fieldName, reader);
        return new TokenStreamComponents(
            s_source ?? words as Tokenizer ?? throw new InvalidOperationException(
                "its method TokenStream does not call base.TokenStream, so that its tokenizer is not known; override CreateComponents"),
            words);
    }

    private protected abstract Tokenizer MakeSource(TextReader reader);

    private protected virtual TokenStream AddFilters(Tokenizer source) => source;
}
