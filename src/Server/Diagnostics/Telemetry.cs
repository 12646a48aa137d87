using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;

namespace Jackdaw.Server.Diagnostics;

/// <summary>Sends metrics to an OTLP collector when one is configured. Otherwise there is no listener and no
/// cost.</summary>
internal static class Telemetry
{
    public static IDisposable? Start(Uri? endpoint) => endpoint is null
        ? null
        : Sdk.CreateMeterProviderBuilder()
            .SetResourceBuilder(ResourceBuilder.CreateDefault().AddService("jackdaw"))
            .AddMeter("Jackdaw.*", "System.Runtime")
            .AddOtlpExporter(exporter => exporter.Endpoint = endpoint)
            .Build();
}
