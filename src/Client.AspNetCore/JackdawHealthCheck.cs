using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Operations;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Jackdaw.Client.AspNetCore;

/// <summary>Checks that a server answers and that the database exists.</summary>
internal sealed class JackdawHealthCheck(IDocumentStore store, string? database, TimeSpan timeout) : IHealthCheck
{
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        HealthStatus failure = context.Registration.FailureStatus;
        string name = database ?? store.Database ?? "";
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(timeout);
        try
        {
            DatabaseStatistics statistics = await store.Maintenance.ForDatabase(name)
                .SendAsync(new GetStatisticsOperation(), limit.Token).ConfigureAwait(false);
            return HealthCheckResult.Healthy($"The database '{name}' has {statistics.CountOfDocuments} documents.");
        }
        catch (OperationCanceledException late) when (!cancellationToken.IsCancellationRequested)
        {
            return new HealthCheckResult(
                failure, $"The database '{name}' has not answered within {timeout.TotalSeconds} s at {string.Join(", ", store.Urls)}.", late);
        }
        catch (DocumentDatabaseException error)
        {
            return new HealthCheckResult(failure, $"The database '{name}' cannot be used: {error.Message}", error);
        }
    }
}
