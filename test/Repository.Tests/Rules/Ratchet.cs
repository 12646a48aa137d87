namespace Jackdaw.Repository.Tests.Rules;

/// <summary>Compares what a rule found with the list of old offenders, which may shrink and never grow.</summary>
public static class Ratchet
{
    /// <returns>One line for every new or grown offender and for every entry of the list that can be tightened or
    /// dropped.</returns>
    public static IEnumerable<string> Compare(
        IReadOnlyCollection<Finding> findings, IReadOnlyDictionary<string, int> oldOffenders)
    {
        foreach (Finding finding in findings)
        {
            if (!oldOffenders.TryGetValue(finding.Path, out int allowed))
            {
                yield return finding.ToString();
            }
            else if (finding.Amount > allowed)
            {
                yield return $"{finding} (an old offender that grew: it had {allowed})";
            }
        }

        foreach ((string path, int allowed) in oldOffenders)
        {
            int largest = findings.Where(f => f.Path == path).Select(f => f.Amount).DefaultIfEmpty(0).Max();
            if (largest < allowed)
            {
                yield return $"{path}: listed with {allowed}, has {largest} now: tighten the list or drop the entry";
            }
        }
    }
}
