-- Queries for wrk, chosen by MODE (environment); values vary from request to request as in run-queries.sh for PostgreSQL.
-- DATABASE: its name. SELECT: "ids" answers ids only, as PostgreSQL does; "documents" answers whole documents.
-- CITIES, WORDS: files with one value per line.
local mode = os.getenv("MODE") or "term"
local path = "/databases/" .. (os.getenv("DATABASE") or "bench") .. "/queries"
local select = os.getenv("SELECT") == "documents" and "" or " select id() as Id"
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("seed", os.time() * 64 + threads)
end

local function lines(file)
  local found = {}
  for line in io.lines(file) do found[#found + 1] = line end
  return found
end

local cities = lines(os.getenv("CITIES"))
local words = lines(os.getenv("WORDS"))
local random = math.random

local function text(value) return '"' .. value .. '"' end
local function company() return text("companies/" .. random(1, 1000)) end
local function employee() return text("employees/" .. random(1, 50)) end
local function city() return text(cities[random(1, #cities)]) end
local function word() return text(words[random(1, #words)]) end

-- Each: the query without its end, and what makes its parameters.
local modes = {
  ["term"] = { "where Company = $a", { company } },
  ["city"] = { "where ShipTo.City = $a", { city } },
  ["and"] = { "where Company = $a and Employee = $b", { company, employee } },
  ["or"] = { "where ShipTo.City = $a or ShipTo.City = $b or Company = $c", { city, city, company } },
  ["text"] = { "where search(Note, $a)", { word } },
  ["text-and"] = { "where search(Note, $a) and search(Note, $b)", { word, word } },
  ["range-sorted"] = { "where Freight between $a and $b order by Company", "range" },
  ["all"] = { "where Int > 0", {} },
  ["all-sorted"] = { "where Freight > 0 order by Company", {} },
}
local chosen = modes[mode] or error("unknown MODE " .. mode)

local function parameters()
  if chosen[2] == "range" then
    local from = random(0, 989)
    return '"a":' .. from .. ',"b":' .. from + 10
  end

  local parts = {}
  for i, make in ipairs(chosen[2]) do parts[i] = '"' .. string.sub("abc", i, i) .. '":' .. make() end
  return table.concat(parts, ",")
end

local head, json
function init(args)
  math.randomseed(seed)
  head = '{"Query":"from Orders ' .. chosen[1] .. select .. ' limit 25","QueryParameters":{'
  json = { ["Content-Type"] = "application/json" }
end

function request()
  return wrk.format("POST", path, json, head .. parameters() .. "}}")
end

-- One line that scripts read; the errors are part of it, because a server that refuses is fast.
function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("RESULT %.1f %.0f %.0f %.0f %d\n", summary.requests / (summary.duration / 1e6), latency:percentile(50),
    latency:percentile(99), latency:percentile(99.9), errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
