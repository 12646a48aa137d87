using Jackdaw.Search.Entries;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search.Tests;

/// <summary>Which engine a name stands for.</summary>
public sealed class SearchEnginesTests
{
    private static readonly SearchEngine s_lucene = new NamedEngine("Lucene");
    private static readonly SearchEngine s_own = new NamedEngine("Corax");

    [Theory]
    [InlineData("Corax")]
    [InlineData("lucene")]
    public void OfSetting_OneEngine_ServesAllNames(string name) => Assert.Same(s_lucene, new SearchEngines(s_lucene).OfSetting(name));

    [Fact]
    public void OfSetting_EngineOfThatName_Serves()
    {
        var both = new SearchEngines(s_lucene, s_own);
        Assert.Same(s_own, both.OfSetting("corax"));
        Assert.Same(s_lucene, both.OfSetting("Lucene"));
    }

    [Fact]
    public void Find_EngineThatIsNotThere_IsNotReplacedByAnother()
    {
        var one = new SearchEngines(s_lucene);
        Assert.Null(one.Find("Corax"));
        Assert.Same(s_lucene, one.Find(SearchEngines.Unnamed));
    }

    private sealed class NamedEngine(string name) : SearchEngine
    {
        public override string Name => name;

        public override SearchIndex Open(StorageEnvironment storage, IndexFields fields) => throw new NotSupportedException();

        public override IReadOnlyList<string> Verify(StorageEnvironment storage) => [];
    }
}
