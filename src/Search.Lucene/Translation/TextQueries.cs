using Jackdaw.Search.Lucene.Matching;
using Jackdaw.Search.Queries;
using Lucene.Net.Index;
using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene.Translation;

/// <summary>Makes queries of analysed words.</summary>
internal static class TextQueries
{
    public static Query Phrase(PhraseNode node)
    {
        if (node.Words.Count == 1)
        {
            return new SingleTermQuery(new Term(node.Field, node.Words[0].Term));
        }

        var phrase = new PhraseQuery { Slop = node.Slop };
        foreach (PhraseWord word in node.Words)
        {
            phrase.Add(new Term(node.Field, word.Term), word.Position);
        }

        return phrase;
    }
}
