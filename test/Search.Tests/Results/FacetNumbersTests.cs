using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;

namespace Jackdaw.Search.Tests.Results;

/// <summary>What is computed from the numbers of a bucket.</summary>
public sealed class FacetNumbersTests
{
    [Theory]
    [InlineData(FacetFunction.Sum, 4.5)]
    [InlineData(FacetFunction.Min, -1.5)]
    [InlineData(FacetFunction.Max, 4.0)]
    [InlineData(FacetFunction.Average, 1.5)]
    public void Get_Function_IsThatOfAllNumbers(FacetFunction function, double expected)
    {
        FacetNumbers numbers = default;
        Assert.Null(numbers.Get(function));
        foreach (double number in new[] { 2, -1.5, 4 })
        {
            numbers.Add(number);
        }

        Assert.Equal(expected, numbers.Get(function));
    }
}
