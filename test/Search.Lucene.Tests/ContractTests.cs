using Jackdaw.Search.Lucene.Merging;
using Jackdaw.Search.Lucene.Tests.Proofs;
using Jackdaw.Search.Tests;
using Jackdaw.Search.Tests.Proofs;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search.Lucene.Tests;

// What every engine must do, asked of Lucene. A suite that is missing here fails Suites_OfTheContract_RunForLucene.
public sealed class LuceneSearchIndexTests() : SearchIndexTests(LuceneEngine.Instance);

public sealed class LuceneSearchContinuationTests() : SearchContinuationTests(LuceneEngine.Instance);

public sealed class LuceneHighlightTests() : HighlightTests(LuceneEngine.Instance);

public sealed class LucenePlanTests() : PlanTests(LuceneEngine.Instance);

public sealed class LuceneSpatialTests() : SpatialTests(LuceneEngine.Instance);

public sealed class LuceneRandomSearchTests() : RandomSearchTests(LuceneEngine.Instance);

public sealed class LucenePageSortTests() : PageSortTests(LuceneEngine.Instance);

public sealed class LuceneBoostTests() : BoostTests(LuceneEngine.Instance);

public sealed class LuceneParallelSearchTests() : ParallelSearchTests(LuceneEngine.Instance);

public sealed class LuceneDamagedIndexTests() : DamagedIndexTests(LuceneEngine.Instance);

public sealed class LucenePowerCutTests() : PowerCutTests(LuceneEngine.Instance)
{
    // Every chunk that a merge reads or writes ends a slice: merges are cut off in all their states.
    private static readonly MergeSizes s_tinySlices = new()
    {
        WholeBytesMax = 0,
        SliceBytesMax = 1,
        SliceTimeMax = TimeSpan.Zero,
        BehindBatchTimeMax = TimeSpan.Zero,
    };

    [Fact]
    public void Index_PowerCutAtEachBarrierOfAMergeInSlices_IsThatOfABatch()
    {
        int open = 0;
        CutAtEachBarrier((storage, fields) => LuceneSearchIndex.Open(storage, fields, s_tinySlices), 600, index =>
        {
            index.Maintain(() => false); // one slice, so that merges are open while the next batches are written
            open += ((LuceneSearchIndex)index).Merges.OpenCount;
        });
        Assert.InRange(open, 4, int.MaxValue);
    }

    protected override void CheckNothingIsLeft(StorageEnvironment branch) => IndexFiles.CheckEachChunkHasAFile(branch);
}

public sealed class ContractTests
{
    [Fact]
    public void Suites_OfTheContract_RunForLucene()
    {
        Type[] suites = [.. typeof(SearchIndexTests).Assembly.GetTypes().Where(type => type is { IsAbstract: true, IsPublic: true, IsSealed: false })];
        Assert.True(suites.Length > 8, $"{suites.Length} suites");
        Assert.DoesNotContain(suites, suite => !typeof(ContractTests).Assembly.GetTypes().Any(type => type.BaseType == suite));
    }
}
