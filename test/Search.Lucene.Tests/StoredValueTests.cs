using System.Text;
using Jackdaw.Search.Lucene.Fields;
using Lucene.Net.Analysis.Core;
using Lucene.Net.Documents;
using Lucene.Net.Index;
using Lucene.Net.Store;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Tests;

/// <summary>Stored values of entries, in the current form and in that of older indexes.</summary>
public sealed class StoredValueTests
{
    [Fact]
    public void Read_TextOfAnOlderIndexBesideBytes_GivesTheBytesOfBoth()
    {
        using var directory = new RAMDirectory();
        using (var writer = new IndexWriter(directory, new IndexWriterConfig(LuceneVersion.LUCENE_48, new KeywordAnalyzer())))
        {
            writer.AddDocument([new StoredField("Old", "Grüße"), new StoredField("New", Encoding.UTF8.GetBytes("Ünïcode"))]);
        }

        using DirectoryReader reader = DirectoryReader.Open(directory);
        var stored = new StoredValueReader();
        reader.Document(0, stored);
        Assert.Equal(["Old: Grüße", "New: Ünïcode"], stored.Values.Select(value => $"{value.Field}: {Encoding.UTF8.GetString(value.Utf8.Span)}"));
    }
}
