using Jackdaw.Documents.Diagnostics;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace Jackdaw.Server.Diagnostics;

/// <summary>Sends metrics and traces to an OTLP collector when one is configured. Otherwise nothing listens, and nothing
/// is spent.</summary>
/// <remarks>The standard OTEL_ variables (protocol, headers, sampler, service name, ...) are read by the SDK.</remarks>
internal sealed class Telemetry : IDisposable
{
    private readonly MeterProvider _metrics;
    private readonly TracerProvider _traces;

    private Telemetry(Uri endpoint)
    {
        // The variables come last: a user's OTEL_SERVICE_NAME wins.
        ResourceBuilder resource = ResourceBuilder.CreateEmpty()
            .AddService("jackdaw").AddTelemetrySdk().AddEnvironmentVariableDetector();
        _metrics = Sdk.CreateMeterProviderBuilder()
            .SetResourceBuilder(resource)
            .AddMeter("Jackdaw.*", "System.Runtime")
            .AddOtlpExporter(exporter => exporter.Endpoint = ForSignal(endpoint, exporter.Protocol, "metrics"))
            .Build();
        _traces = Sdk.CreateTracerProviderBuilder()
            .SetResourceBuilder(resource)
            .AddSource(DatabaseActivities.SourceName)
            .AddOtlpExporter(exporter => exporter.Endpoint = ForSignal(endpoint, exporter.Protocol, "traces"))
            .Build();
    }

    public static Telemetry? Start(Uri? endpoint) => endpoint is null ? null : new Telemetry(endpoint);

    /// <summary>Sends the measurements that are still waiting.</summary>
    public void Dispose()
    {
        _traces.Dispose();
        _metrics.Dispose();
    }

    // Over plain HTTP each signal has a path below the collector's address. The exporter adds it only when it read the
    // address itself.
    private static Uri ForSignal(Uri endpoint, OtlpExportProtocol protocol, string signal) =>
        protocol == OtlpExportProtocol.HttpProtobuf
            ? new Uri($"{endpoint.AbsoluteUri.TrimEnd('/')}/v1/{signal}")
            : endpoint;
}
