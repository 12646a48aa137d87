using System.Diagnostics;
using Jackdaw.Simulation.Harness;

namespace Jackdaw.Simulation.Damage;

/// <summary>Every kind of damage to the files of a stopped storage, with the result that is promised for it.</summary>
public sealed partial class DamageTests(ITestOutputHelper output)
{
    private const int Seed = 3;
    private readonly Dictionary<ImageKind, StorageImage> _images = [];
    private readonly SortedDictionary<Verdict, int> _verdicts = [];

    private StorageImage Image(ImageKind kind)
    {
        if (!_images.TryGetValue(kind, out StorageImage? image))
        {
            _images.Add(kind, image = StorageImage.Create(kind, Seed));
        }

        return image;
    }

    /// <summary>Damages a copy, opens it, and compares with the promise.</summary>
    private Examination Expect(StorageImage image, string name, Action<SimulatedPlatform> damage, params Verdict[] allowed)
    {
        SimulatedPlatform copy = image.Copy();
        damage(copy);
        Examination found;
        try
        {
            found = Examination.Run(copy, image.Allowed);
        }
        catch (Exception e)
        {
            throw new SimulationViolationException($"{name}: {e.GetType().Name}: {e.Message}", e);
        }

        _verdicts[found.Verdict] = _verdicts.GetValueOrDefault(found.Verdict) + 1;
        if (!allowed.Contains(found.Verdict))
        {
            throw new SimulationViolationException($"{name}: {found}, expected {string.Join(" or ", allowed)} at {image.Last}");
        }

        if (found.Verdict == Verdict.Shorter && found.Transaction != image.Last - 1)
        {
            throw new SimulationViolationException($"{name}: {found}: more than the last entry is lost");
        }

        return found;
    }

    private void Report(string what, long started) =>
        output.WriteLine($"{what}, seed {Seed}: {string.Join(", ", _verdicts.Select(pair => $"{pair.Value} {pair.Key}"))}; " +
            $"{_verdicts.GetValueOrDefault(Verdict.Shorter)} silent losses of the last entry; {Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s");
}
