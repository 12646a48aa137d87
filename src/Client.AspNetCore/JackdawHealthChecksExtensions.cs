using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Jackdaw.Client.AspNetCore;

/// <summary>Health checks of databases.</summary>
public static class JackdawHealthChecksExtensions
{
    private static readonly TimeSpan s_timeoutDefault = TimeSpan.FromSeconds(2);

    /// <summary>Adds a check that a server answers and that the database exists.</summary>
    /// <param name="key">Key of the store; null for the store without a key.</param>
    /// <param name="database">The database to check; null for the store's own.</param>
    /// <param name="timeout">How long to wait for an answer; null for 2 seconds.</param>
    /// <param name="name">Name of the check; null for <c>jackdaw</c>, or <c>jackdaw-key</c> with a key.</param>
    /// <param name="failureStatus">The status of a failure; null for unhealthy.</param>
    /// <param name="tags">Tags of the check; null for <c>ready</c>.</param>
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
