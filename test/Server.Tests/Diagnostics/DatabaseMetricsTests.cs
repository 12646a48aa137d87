using System.Diagnostics.Metrics;
using Jackdaw.Documents.Databases;
using Jackdaw.Server.Diagnostics;

namespace Jackdaw.Server.Tests.Diagnostics;

public sealed class DatabaseMetricsTests
{
    [Fact]
    public void Scrape_TakesTheFiguresOfAllDatabasesOnce()
    {
        int taken = 0;
        using var meter = new Meter("Jackdaw.Test");
        using var listener = new PrometheusListener(meter);
        _ = new DatabaseMetrics(meter, () =>
        {
            taken++;
            return [];
        });

        listener.Scrape();
        Assert.Equal(1, taken);
        listener.Scrape();
        Assert.Equal(2, taken);
    }
}
