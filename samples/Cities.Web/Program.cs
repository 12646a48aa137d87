// Finds cities by the beginning of their names and near a place, and edits one.
//   dotnet run --project src/Server            (in another terminal)
//   dotnet run --project samples/Cities.Web    (and open the address that it prints)
// All cities of a file, an array of objects with name, country, lat and lng: -- --Cities:File=cities.json
Jackdaw.Cities.Web.CitiesApp.Build(args).Run();
