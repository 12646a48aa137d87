using Jackdaw.Search.Segments.Tests.Merging;
using Jackdaw.Search.Tests;
using Jackdaw.Search.Tests.Proofs;

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


// The same with the smallest sizes.
public sealed class SmallSearchIndexTests() : SearchIndexTests(SmallSegmentEngine.Instance);

public sealed class SmallSpatialTests() : SpatialTests(SmallSegmentEngine.Instance);

public sealed class SmallRandomSearchTests() : RandomSearchTests(SmallSegmentEngine.Instance);

public sealed class SmallPageSortTests() : PageSortTests(SmallSegmentEngine.Instance);

public sealed class SmallParallelSearchTests() : ParallelSearchTests(SmallSegmentEngine.Instance);

public sealed class SmallDamagedIndexTests() : DamagedIndexTests(SmallSegmentEngine.Instance);

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
