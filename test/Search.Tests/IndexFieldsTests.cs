using Jackdaw.Search.Entries;

namespace Jackdaw.Search.Tests;

/// <summary>The settings of the fields of an index.</summary>
public sealed class IndexFieldsTests
{
    private static readonly IndexField s_defined = new("Title") { Indexing = IndexingMode.Text };

    [Fact]
    public void With_FieldWithOtherSettings_LeavesTheOriginalAsItIs()
    {
        var fields = new IndexFields([s_defined]);

        IndexFields changed = fields.With(s_defined with { IsStored = true }).With(new IndexField("Size") { IsStored = true });

        Assert.Equal(s_defined, fields.Find("Title"));
        Assert.False(fields.Find("Size").IsStored);
        Assert.Equal(s_defined with { IsStored = true }, changed.Find("Title"));
        Assert.True(changed.Find("Size").IsStored);
    }

    [Fact]
    public void Find_FieldWithoutSettings_HasThoseOfAllOthers()
    {
        IndexFields fields = new IndexFields([s_defined], new IndexField("") { Indexing = IndexingMode.Exact }).With(new IndexField("Size"));

        Assert.Equal(new IndexField("Name") { Indexing = IndexingMode.Exact }, fields.Find("Name"));
        Assert.Equal(IndexingMode.Keyword, fields.Find("Size").Indexing);
    }
}
