using Jackdaw.Search.Tests.Proofs;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search.Segments.Tests.Merging;

/// <summary>What every engine must do, and the same while merges run in the smallest slices.</summary>
public sealed class SegmentPowerCutTests() : PowerCutTests(SegmentEngine.Instance)
{
    [Theory]
    [InlineData(true, 5)]
    [InlineData(false, 3)]
    public void Index_PowerCutAtEachBarrierOfMergesInSlices_IsThatOfABatch(bool isDirect, int slices) => CutAtEachBarrier(
        (storage, fields) => new SegmentSearchIndex(storage, fields, SmallSizes.Make(isDirect)), 400, index =>
        {
            for (int slice = 0; slice < slices; slice++)
            {
                index.Maintain(() => false);
            }
        });

    protected override void CheckNothingIsLeft(StorageEnvironment branch) => LeftRuns.AssertNone(branch);
}
