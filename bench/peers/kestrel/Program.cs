// The ceiling of HTTP on this machine: Kestrel with one bare middleware and no storage. GET answers 1 KB of JSON, or 304 when asked with
// If-None-Match; every other method drains the body and answers what a PUT is answered: the same status, the same headers, a body of the
// same length. Arguments: the port, and optionally a file: then every request is answered by its bytes. With KESTREL_PFX, a file without
// a password, it speaks https, and asks clients for certificates.
using System.Text;

WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
builder.Logging.ClearProviders();
string? pfx = Environment.GetEnvironmentVariable("KESTREL_PFX");
builder.WebHost.ConfigureKestrel(options =>
{
    options.ListenLocalhost(int.Parse(args[0]), listen => Https.Listen(listen, pfx));
    options.AddServerHeader = false;
    options.Limits.MaxRequestBodySize = null;
});
WebApplication app = builder.Build();

byte[] document = Encoding.UTF8.GetBytes("{\"v\":\"" + new string('x', 1016) + "\"}");
byte[]? answer = args.Length > 1 ? File.ReadAllBytes(args[1]) : null;
byte[] written = Encoding.UTF8.GetBytes("{\"Id\":\"orders/4503599627370496\",\"ChangeVector\":\"A:2449488-aaZbthlv/pHbJxesxSYE/w\"}");
app.Run(context => answer == null && HttpMethods.IsGet(context.Request.Method) ? Read(context) : Write(context));
app.Run();

Task Read(HttpContext context)
{
    context.Response.Headers.ETag = "\"A:1\"";
    if (context.Request.Headers.IfNoneMatch.Count > 0)
    {
        context.Response.StatusCode = StatusCodes.Status304NotModified;
        return Task.CompletedTask;
    }

    return Answer(context, document);
}

async Task Write(HttpContext context)
{
    while (true)
    {
        var read = await context.Request.BodyReader.ReadAsync();
        context.Request.BodyReader.AdvanceTo(read.Buffer.End);
        if (read.IsCompleted)
        {
            break;
        }
    }

    if (answer != null)
    {
        context.Response.Headers.ETag = "\"-3902087318217651117\"";
        await Answer(context, answer);
        return;
    }

    context.Response.StatusCode = StatusCodes.Status201Created;
    context.Response.Headers["Raven-Server-Version"] = "7.2.0.0";
    context.Response.Headers["Server-Timing"] = "total;dur=2.972, queue;dur=0.101, journal;dur=2.819, batch;desc=\"64\"";
    await Answer(context, written);
}

Task Answer(HttpContext context, byte[] body)
{
    context.Response.ContentType = "application/json; charset=utf-8";
    context.Response.ContentLength = body.Length;
    return context.Response.Body.WriteAsync(body, 0, body.Length);
}
