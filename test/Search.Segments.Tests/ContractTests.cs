using Jackdaw.Search.Segments.Tests.Proofs;
using Jackdaw.Search.Tests;
using Jackdaw.Search.Tests.Proofs;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search.Segments.Tests;

// What every engine must do, asked of this one. A suite that is missing here fails Suites_OfTheContract_RunForSegments.
public sealed class SegmentSearchIndexTests() : SearchIndexTests(SegmentEngine.Instance);

public sealed class SegmentSearchContinuationTests() : SearchContinuationTests(SegmentEngine.Instance);

public sealed class SegmentHighlightTests() : HighlightTests(SegmentEngine.Instance);

public sealed class SegmentPlanTests() : PlanTests(SegmentEngine.Instance);

public sealed class SegmentSpatialTests() : SpatialTests(SegmentEngine.Instance);

public sealed class SegmentRandomSearchTests() : RandomSearchTests(SegmentEngine.Instance);

public sealed class SegmentPageSortTests() : PageSortTests(SegmentEngine.Instance);

public sealed class SegmentBoostTests() : BoostTests(SegmentEngine.Instance);

public sealed class SegmentParallelSearchTests() : ParallelSearchTests(SegmentEngine.Instance);

public sealed class SegmentDamagedIndexTests() : DamagedIndexTests(SegmentEngine.Instance);

public sealed class SegmentPowerCutTests() : PowerCutTests(SegmentEngine.Instance)
{
    [Fact]
    public void Index_PowerCutAtEachBarrierOfAMergeInSlices_IsThatOfABatch()
    {
        int open = 0;
        CutAtEachBarrier((storage, fields) => new SegmentSearchIndex(storage, fields, IndexLife.TinySlices), 120, index =>
        {
            for (int slice = 0; slice < 8; slice++)
            {
                index.Maintain(() => false); // one slice each, so that merges are open while the next batches are written
            }

            open += ((SegmentSearchIndex)index).Merges.IsRunning ? 1 : 0;
        });
        Assert.InRange(open, 2, int.MaxValue);
    }

    protected override void CheckNothingIsLeft(StorageEnvironment branch) => IndexLife.CheckNothingIsLeft(branch);
}

public sealed class ContractTests
{
    [Fact]
    public void Suites_OfTheContract_RunForSegments()
    {
        Type[] suites = [.. typeof(SearchIndexTests).Assembly.GetTypes().Where(type => type is { IsAbstract: true, IsPublic: true, IsSealed: false })];
        Assert.True(suites.Length > 8, $"{suites.Length} suites");
        Assert.DoesNotContain(suites, suite => !typeof(ContractTests).Assembly.GetTypes().Any(type => type.BaseType == suite));
    }
}
