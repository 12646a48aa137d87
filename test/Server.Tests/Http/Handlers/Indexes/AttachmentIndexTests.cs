using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Attachments of documents in definitions and in rows that scripts make.</summary>
public sealed class AttachmentIndexTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("users/1", "Users", """{"Name":"Ann"}""");
        await _server.PutAsync("users/2", "Users", """{"Name":"Bob"}""");
        await PutAttachmentAsync("users/1", "Photo.png", "abc");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData(
        "from u in docs.Users select new { Names = AttachmentsFor(u).Select(a => a.Name), Type = LoadAttachment(u, \"photo.PNG\").ContentType, "
        + "Sizes = LoadAttachments(u).Sum(a => a.Size), Text = LoadAttachment(u, \"photo.png\").GetContentAsString() }")]
    [InlineData(
        "map('Users', u => ({ Names: attachmentsFor(u).map(a => a.Name), Type: (loadAttachment(u, 'photo.PNG') || {}).ContentType, "
        + "Sizes: loadAttachments(u).reduce((sum, a) => sum + a.Size, 0), Text: loadAttachments(u).map(a => a.getContentAsString()) }))")]
    public async Task Definition_OfAttachments_FollowsThem(string map)
    {
        Assert.Equal(201, (await _server.PutIndexAsync("ByFiles", map)).Status);
        Assert.Equal("users/1", await _server.IdsAsync("from index 'ByFiles' where Names = 'photo.png'"));
        Assert.Equal("users/1", await _server.IdsAsync("from index 'ByFiles' where Type = 'image/png'"));
        Assert.Equal("users/2", await _server.IdsAsync("from index 'ByFiles' where Sizes = 0"));
        Assert.Equal("users/1", await _server.IdsAsync("from index 'ByFiles' where Text = 'abc'"));
        await PutAttachmentAsync("users/2", "photo.png", "abcdef");
        await _server.DbAsync("DELETE", "/attachments?id=users/1&name=photo.png");
        Assert.Equal("users/2", await _server.IdsAsync("from index 'ByFiles' where Names = 'photo.png'"));
        Assert.Equal("users/2", await _server.IdsAsync("from index 'ByFiles' where Sizes = 6"));
    }

    [Fact]
    public async Task Projection_ShowsAttachments()
    {
        string[] rows = await _server.RowsAsync(
            "from Users as u where u.Name = 'Ann' select { Files: getMetadata(u)['@attachments'].map(a => a.Name + ' ' + a.Size) }");
        Assert.Equal("""{"Files":["Photo.png 3"]}""", Assert.Single(rows));
    }

    private async Task PutAttachmentAsync(string id, string name, string content)
    {
        Answer answer = await _server.DbAsync("PUT", $"/attachments?id={id}&name={name}&contentType=image/png", content);
        Assert.Equal(201, answer.Status);
    }
}
