using Jackdaw.Server.Http;

namespace Jackdaw.Server.Tests.Http;

public sealed class LargeBodiesTests
{
    [Fact]
    public async Task Enter_WithoutAPlace_WaitsUntilOneIsLeft()
    {
        using var places = new LargeBodies(1);
        await places.EnterAsync(CancellationToken.None);

        ValueTask second = places.EnterAsync(CancellationToken.None);
        Assert.False(second.IsCompleted);
        places.Leave();

        await second;
    }

    [Fact]
    public async Task Put_ManyLargeBodiesOneAfterTheOther_GiveTheirPlacesBack()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        string body = $$"""{"f":"{{new string('x', 2 * HttpLimits.LargeBodyBytes)}}"}""";
        for (int i = 0; i < 70; i++)
        {
            await server.PutAsync($"big/{i % 2}", body);
        }
    }
}
