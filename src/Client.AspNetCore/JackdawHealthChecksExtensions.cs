using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Jackdaw.Client.AspNetCore;

/// <summary>Health checks of databases.</summary>
public static class JackdawHealthChecksExtensions
{
    private static readonly TimeSpan s_timeoutDefault = TimeSpan.FromSeconds(2);

    /// <summary>Adds a check that a server answers and that the database is there.</summary>
    /// <param name="key">Of the store; null: the one without a key.</param>
    /// <param name="database">Null: that of the store.</param>
    /// <param name="timeout">Null: 2 seconds.</param>
    /// <param name="name">Of the check; null: <c>jackdaw</c>, and with a key <c>jackdaw-key</c>.</param>
    /// <param name="failureStatus">Null: unhealthy.</param>
    /// <param name="tags">Null: <c>ready</c>.</param>
    public static IHealthChecksBuilder AddJackdaw(
        this IHealthChecksBuilder builder, string? key = null, string? database = null, TimeSpan? timeout = null, string? name = null,
        HealthStatus? failureStatus = null, IEnumerable<string>? tags = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.Add(new HealthCheckRegistration(
            name ?? (key is null ? "jackdaw" : $"jackdaw-{key}"),
            provider => new JackdawHealthCheck(
                key is null ? provider.GetRequiredService<IDocumentStore>() : provider.GetRequiredKeyedService<IDocumentStore>(key),
                database,
                timeout ?? s_timeoutDefault),
            failureStatus,
            tags ?? ["ready"]));
    }
}
