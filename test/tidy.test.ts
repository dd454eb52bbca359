import { existsSync, readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { dirname, join, relative, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { domains } from '#app'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { TABLES_OF_NO_TEAM } from '#test/tables.ts'

const ROOT = resolve(import.meta.dirname, '..')
const SOURCE_LINES_MAX = 400

/** Rules that the editor and the server must read alike: pure, and carrying nothing of the server with them. */
const COMMON_RULES = [
  'src/domains/chat/colour-values.ts',
  'src/domains/invoices/amounts.ts',
  'src/domains/messages/segments.ts',
  'src/domains/sequences/condition.ts',
  'src/domains/workflows/definition.ts',
  'src/domains/workflows/differences.ts',
  'src/platform/phone-zones.ts',
]

/** Of the web app: what is made of records. */
const WEB_ABOVE_RECORDS = ['builder', 'conversation', 'live', 'notifications', 'pages', 'shell'].map(
  name => `src/web/${name}`,
)

/** Of a domain nobody else's business: its tables, and what the composition root alone puts together. */
const INNER_FILES = /\/(?:(?:[a-z-]+-)?store|api|reactions|jobs)\.ts$/

/** A backup is of everything. */
const WHOLE_DATABASE = 'src/platform/database/backup.ts'

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter(path => path && existsSync(join(ROOT, path)))
const sources = tracked.filter(path => /^src\/.*\.(ts|tsx)$/.test(path) && !path.endsWith('.d.ts'))
const textOf = remembered((path: string) => readFileSync(join(ROOT, path), 'utf8'))
/** What it says to the machine. */
const codeOf = remembered((path: string) => withoutComments(textOf(path)))
const isTest = (path: string) => /\.(test|harness|child)\.ts$/.test(path)
const product = sources.filter(path => !isTest(path))

const aliases = (JSON.parse(textOf('package.json')) as { imports: Record<string, string> }).imports

type Import = { from: string; to: string; typeOnly: boolean }
const imports = product.flatMap(importsOf)

describe('imports point one way', () => {
  const order = domains.map(domain => domain.name)

  test.for<[string, (path: string) => boolean, (edge: Import) => boolean]>([
    [
      'the platform knows no domain, no HTTP, no adapter',
      inFolder('src/platform'),
      edge => inFolder('src/platform')(edge.to),
    ],
    [
      'a domain knows the platform and the domains above it, and of those only what they offer',
      inFolder('src/domains'),
      edge => inFolder('src/platform')(edge.to) || mayCall(order, edge),
    ],
    [
      'HTTP knows the list of domains, the domains and the platform, and nobody above it',
      inFolder('src/http'),
      ({ to, typeOnly }) =>
        ['src/http', 'src/domains', 'src/platform'].some(folder => inFolder(folder)(to)) ||
        (to === 'src/app.ts' && typeOnly) ||
        to === 'package.json',
    ],
    [
      'an adapter knows only the platform',
      inFolder('src/adapters'),
      edge => inFolder('src/adapters')(edge.to) || inFolder('src/platform')(edge.to),
    ],
    [
      'the web app sees the types of contracts, fixed words, common rules and scopes, and nothing else of the server',
      inFolder('src/web'),
      ({ to, typeOnly }) =>
        inFolder('src/web')(to) ||
        (typeOnly && to.endsWith('/contract.ts')) ||
        to.endsWith('/values.ts') ||
        COMMON_RULES.includes(to) ||
        to === 'src/platform/scopes.ts',
    ],
    [
      'a page imports no other page: what two need is of conversation, of records or of ui',
      inFolder('src/web/pages'),
      ({ from, to }) => !inFolder('src/web/pages')(to) || pageOf(from) === pageOf(to),
    ],
    [
      'nothing but the router imports a page: what a page shares is of conversation, of records or of ui',
      path => inFolder('src/web')(path) && !inFolder('src/web/pages')(path) && path !== 'src/web/router.tsx',
      ({ to }) => !inFolder('src/web/pages')(to),
    ],
    [
      'records know ui and each other, and neither a page nor the frame around it',
      inFolder('src/web/records'),
      ({ to }) => !WEB_ABOVE_RECORDS.some(folder => inFolder(folder)(to)),
    ],
    [
      'ui knows no record',
      inFolder('src/web/ui'),
      ({ to }) => !['src/web/records', ...WEB_ABOVE_RECORDS].some(folder => inFolder(folder)(to)),
    ],
    [
      'common rules know fixed words and each other, and nothing else',
      path => COMMON_RULES.includes(path),
      ({ to, typeOnly }) => typeOnly || to.endsWith('/values.ts') || COMMON_RULES.includes(to),
    ],
    [
      'fixed words stand alone, so that they carry nothing of the server into the web app',
      path => path.endsWith('/values.ts') || path === 'src/platform/scopes.ts',
      ({ typeOnly }) => typeOnly,
    ],
  ])('%s', ([, isFrom, allowed]) => {
    const wrong = imports.filter(edge => isFrom(edge.from) && !allowed(edge))
    expect(wrong.map(show)).toEqual([])
  })

  test('adapters and commands are named by the composition root alone', () => {
    const root = (path: string) => path === 'src/main.ts' || inFolder('src/commands')(path)
    const wrong = imports.filter(
      ({ from, to }) =>
        (inFolder('src/adapters')(to) || inFolder('src/commands')(to)) &&
        !root(from) &&
        dirname(from) !== dirname(to),
    )
    expect(wrong.map(show)).toEqual([])
  })

  test('every file is of a place that has a rule, or is the root itself', () => {
    const folders = ['platform', 'domains', 'http', 'adapters', 'web', 'commands', 'demo'].map(
      name => `src/${name}`,
    )
    const elsewhere = product.filter(path => !folders.some(folder => inFolder(folder)(path)))
    const root = ['src/app.ts', 'src/config.ts', 'src/main.ts', 'src/process.ts', 'src/variables.ts']
    expect(elsewhere.toSorted()).toEqual(root)
    expect(order.toSorted()).toEqual([...new Set(product.map(domainOf).filter(Boolean))].toSorted())
  })

  test('HTTP is started by the process alone', () => {
    const wrong = imports.filter(
      ({ from, to }) => inFolder('src/http')(to) && !inFolder('src/http')(from) && from !== 'src/process.ts',
    )
    expect(wrong.map(show)).toEqual([])
  })

  test('there are no circles, not even of types', () => {
    expect(circleIn(Map.groupBy(imports, edge => edge.from))).toEqual([])
  })
})

describe('tables', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  test('each belongs to one domain, or to the platform', async () => {
    const tables = (
      await database.query<{ name: string }>(
        `select tablename as name from pg_tables where schemaname = 'public'`,
      )
    ).map(row => row.name)
    const places = product.filter(path => /^src\/(domains|platform)\//.test(path) && path !== WHOLE_DATABASE)
    const owners = Map.groupBy(
      places.flatMap(path => tablesNamedIn(codeOf(path)).map(table => ({ table, owner: ownerOf(path) }))),
      ({ table }) => table,
    )
    const shared = tables
      .map(table => ({ table, owners: [...new Set(owners.get(table)?.map(({ owner }) => owner))] }))
      .filter(({ owners }) => owners.length > 1)
    expect(tables.filter(table => owners.has(table)).length).toBeGreaterThan(50)
    expect(shared).toEqual([])
  })

  test('every one that names a lead says what becomes of its rows when the person is erased', async () => {
    const open = await database.query<{ name: string }>(
      `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'lead_id'
       where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
         and relname not in (select name from personal_tables) order by 1`,
    )
    expect(open.map(row => row.name)).toEqual([])
  })

  test('every one has forced row security, but for the few that know of no team', async () => {
    const open = await database.query<{ name: string }>(
      `select relname as name from pg_class
       where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
         and not (relrowsecurity and relforcerowsecurity) order by 1`,
    )
    expect(open.map(row => row.name)).toEqual(TABLES_OF_NO_TEAM)
  })
})

describe('the database itself', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  test('shows the application one team, by one and the same rule in every table', async () => {
    const rules = await database.query<{ tablename: string; rule: string }>(
      `select tablename, concat_ws(' | ', cmd, array_to_string(roles, ','), qual, with_check) as rule from pg_policies
       where schemaname = 'public' and policyname = 'team'`,
    )
    const closed = await database.query<{ name: string }>(
      `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'team_id'
       where relforcerowsecurity and relnamespace = 'public'::regnamespace`,
    )
    expect(rules.map(({ tablename }) => tablename).toSorted()).toEqual(
      closed.map(({ name }) => name).toSorted(),
    )
    const own = "(team_id = current_setting('app.team'::text, true))"
    const notErased = "((deleted_at IS NULL) OR (deleted_at <> 'infinity'::timestamp with time zone))"
    for (const { tablename, rule } of rules) {
      const condition = tablename === 'leads' ? `(${own} AND ${notErased})` : own
      expect([tablename, rule]).toEqual([tablename, `ALL | rapport_app | ${condition} | ${condition}`])
    }
  })

  test('shows what is for all teams to who says so, by one rule', async () => {
    const rules = await database.query<{ rule: string }>(
      `select distinct concat_ws(' | ', cmd, array_to_string(roles, ','), qual, with_check) as rule from pg_policies
       where schemaname = 'public' and policyname not in ('team', 'search', 'belonging', 'erasing', 'retention')`,
    )
    const all = "(current_setting('app.team'::text, true) = '*'::text)"
    expect(rules).toEqual([{ rule: `ALL | rapport_app | ${all} | ${all}` }])
  })

  test.for([
    ['retention', "(current_setting('app.retention'::text, true) = 'on'::text)"],
    [
      'erasing',
      "((team_id = current_setting('app.team'::text, true)) AND (current_setting('app.erasing'::text, true) = 'on'::text))",
    ],
  ])('opens tables to %s for the owner alone, and only while it runs', async ([name, condition]) => {
    const rules = await database.query<{ rule: string }>(
      `select distinct concat_ws(' | ', array_to_string(roles, ',') = tableowner, qual, with_check) as rule
       from pg_policies join pg_tables using (schemaname, tablename) where policyname = $1`,
      [name],
    )
    expect(rules).toEqual([{ rule: `t | ${condition}` }])
  })

  test('searches every table by its columns of now: whoever adds one makes its searches anew', async () => {
    const searches = await database.query<{ call: string }>(
      `select format(case when proname like 'quick%' then 'select * from %I(''{}'', ''{}'', ''{%%a%%}'', ''id'', 1, 1)'
         else 'select * from %I(''%%a%%'', ''{}'', false, 1)' end, proname) as call
       from pg_proc join pg_class on reltype = prorettype where proretset and proname ~ '^(search|quick)_'`,
    )
    expect(searches.length).toBeGreaterThan(20)
    for (const { call } of searches) await expect(database.query(call), call).resolves.toEqual([])
  })

  test('lets the application neither own, nor pass by, nor change the schema', async () => {
    const [role] = await database.query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin,
         (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned,
         has_schema_privilege('rapport_app', 'public', 'create') as may_create
       from pg_roles where rolname = 'rapport_app'`,
    )
    expect(role).toEqual({
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolcanlogin: false,
      owned: 0,
      may_create: false,
    })
  })
})

describe('an installation can be sharded by team', () => {
  let database: TestDatabase
  let sharded: Set<string>
  beforeAll(async () => {
    database = await createDatabase()
    const rows = await database.query<{ name: string }>(
      `select name from table_places where place = 'sharded'`,
    )
    sharded = new Set(rows.map(({ name }) => name))
    expect(sharded.size).toBeGreaterThan(50)
  })
  afterAll(() => database.drop())

  test('because each table with a team says where it is kept', async () => {
    const open = await database.query(
      `select relname from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'team_id' and not attisdropped
       where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
         and relname not in (select name from table_places)`,
    )
    expect(open).toEqual([])
  })

  test('because the team is in every key of what is sharded', async () => {
    const without = await database.query(
      `select indexrelid::regclass::text as key from pg_index join table_places on name = indrelid::regclass::text
       where place = 'sharded' and indisunique and not exists (
         select from pg_attribute where attrelid = indrelid and attname = 'team_id' and attnum = any(indkey))`,
    )
    expect(without).toEqual([])
  })

  test('because what is sharded refers to sharded tables only, by the team, and leaves no reference to be cleared', async () => {
    const wrong = await database.query(
      `select conrelid::regclass::text || ' ' || pg_get_constraintdef(pg_constraint.oid) as link from pg_constraint
       join table_places as own on own.name = conrelid::regclass::text
       left join table_places as other on other.name = confrelid::regclass::text
       where contype = 'f' and (own.place = 'sharded' or other.place = 'sharded') and (own.place <> other.place
         or other.place is null or confdeltype in ('n', 'd') or pg_get_constraintdef(pg_constraint.oid) not like '%(team_id%')`,
    )
    expect(wrong).toEqual([])
  })

  test('because the rows of what is sharded can be told apart while a shard is moved', async () => {
    const without = await database.query(
      `select relname from pg_class join table_places on name = relname
       where place = 'sharded' and relnamespace = 'public'::regnamespace and relreplident <> 'f'
         and not exists (select from pg_index where indrelid = pg_class.oid and indisprimary)`,
    )
    expect(without).toEqual([])
  })

  test('because no policy of what is sharded has a sub-select', async () => {
    const found = await database.query(
      `select tablename, policyname from pg_policies join table_places on name = tablename
       where place = 'sharded' and concat_ws(' ', qual, with_check) ilike '%select%'`,
    )
    expect(found).toEqual([])
  })

  test('because no function in SQL reads what is sharded, and nothing has triggers', async () => {
    const functions = await database.query<{ name: string; body: string }>(
      `select proname as name, coalesce(pg_get_function_sqlbody(pg_proc.oid), prosrc) as body from pg_proc
       join pg_language on pg_language.oid = prolang
       where lanname = 'sql' and pronamespace = 'public'::regnamespace
         and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`,
    )
    const reading = functions.filter(({ body }) =>
      tablesNamedIn(body.toLowerCase()).some(name => sharded.has(name)),
    )
    expect(functions.length).toBeGreaterThan(3)
    expect(reading.map(({ name }) => name)).toEqual([])
    expect(await database.query('select tgname from pg_trigger where not tgisinternal')).toEqual([])
  })

  test('because no statement is one that shards refuse', () => {
    const inserted = (code: string) =>
      [...code.matchAll(/\binsert into (\w+)[^`;]*?\bselect\b/g)]
        // A SELECT in VALUES or in RETURNING is another matter.
        .filter(([text]) => !/\bvalues\b/.test(text))
        .map(([, name]) => name!)
    const faults = product.flatMap(path => {
      const code = codeOf(path)
      return [
        ...inserted(code)
          .filter(name => sharded.has(name))
          .map(name => `${path}: insert into ${name} … select`),
        ...(/any\(case \S+ when/.test(code) ? [`${path}: any(case x when …)`] : []),
        ...(/updated_at \+ interval/.test(code)
          ? [`${path}: an instant plus an interval in the zone of the session`]
          : []),
      ]
    })
    expect(faults).toEqual([])
  })
})

describe('files', () => {
  test('in a domain are named by a noun, and none is a drawer for odds and ends', () => {
    const names = product.filter(inFolder('src/domains')).map(path => path.split('/').slice(3).join('/'))
    expect(names.filter(name => !/^(?:[a-z]+\/)?[a-z]+(?:-[a-z]+)*\.ts$/.test(name))).toEqual([])
    const drawers = /(?:^|[/-])(?:utils?|helpers?|common|misc|shared|index|types)\.tsx?$/
    expect(product.filter(path => drawers.test(path))).toEqual([])
  })

  test('only config.ts reads the environment; PATH may be handed on to a child process', () => {
    expect(
      product.filter(path => path !== 'src/config.ts' && /\bprocess\.env\b(?!\.PATH\b)/.test(codeOf(path))),
    ).toEqual([])
  })

  test('none has grown past what one noun needs', () => {
    expect(product.filter(path => textOf(path).split('\n').length > SOURCE_LINES_MAX)).toEqual([])
  })

  test('nothing is evaluated as code', () => {
    expect(
      product.filter(path => /\beval\(|\bFunction\(|node:vm\b|dangerouslySetInnerHTML/.test(codeOf(path))),
    ).toEqual([])
  })

  test('no test is skipped, focused or empty', () => {
    const tests = tracked.filter(path => /\.test\.tsx?$/.test(path) && path !== 'test/tidy.test.ts')
    expect(
      tests.filter(path => /\b(?:test|it|describe)(?:\.\w+)*\.(?:skip|only|todo)\b/.test(textOf(path))),
    ).toEqual([])
  })

  test('no test has less time than any test has: a busy machine would need more', () => {
    const usualMs = Number(/testTimeout: ([\d_]+)/.exec(textOf('vitest.config.ts'))![1]!.replaceAll('_', ''))
    const given = /\{ timeout: ([\d_]+) \},|^\}, ([\d_]+)\)|testTimeout: ([\d_]+)/gm
    const short = tracked
      .filter(path => path.endsWith('.test.ts') && path !== 'test/tidy.test.ts')
      .flatMap(path => [...textOf(path).matchAll(given)].map(([, ...ms]) => [path, ms.join('')] as const))
      .filter(([, ms]) => Number(ms.replaceAll('_', '')) < usualMs)
    expect(short).toEqual([])
  })

  test('nothing is left to be done, and no place on one machine is named', () => {
    const texts = tracked.filter(
      path => /\.(ts|tsx|mjs|md|sql|css|sh)$/.test(path) && path !== 'test/tidy.test.ts',
    )
    // In comments: the first of these words is also a status of tasks.
    const undone = /(?:\/\/|\/\*|\* |<!--|#|--)[^\n]*\b(?:TODO|FIXME|XXX|HACK)\b/
    expect(texts.filter(path => undone.test(textOf(path)))).toEqual([])
    expect(
      texts.filter(path => /(?:^|[^A-Za-z0-9_.:/])\/(?:work|farm|root|home)\//m.test(textOf(path))),
    ).toEqual([])
  })

  test('dependencies are pinned exactly', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      textOf('package.json'),
    ) as Record<string, Record<string, string>>
    const loose = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
      ([, version]) => !/^\d/.test(version),
    )
    expect(loose).toEqual([])
  })
})

/** In SQL after a word that a table follows, or as the query builder is told. */
function tablesNamedIn(code: string): string[] {
  const named =
    /\b(?:from|into|join|update)\s+(?="?(\w+))|(?:selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin|inserter<[^>]*>)\(\s*'(\w+)'/g
  return [...code.matchAll(named)].map(([, inSql, inBuilder]) => (inSql ?? inBuilder)!)
}

function ownerOf(path: string): string {
  return path
    .split('/')
    .slice(1, path.startsWith('src/domains') ? 3 : 2)
    .join('/')
}

/** Hundreds of files, which many tests look at: each is read once. */
function remembered(read: (path: string) => string): (path: string) => string {
  const known = new Map<string, string>()
  return path => {
    let text = known.get(path)
    if (text === undefined) known.set(path, (text = read(path)))
    return text
  }
}

function inFolder(folder: string): (path: string) => boolean {
  return path => path.startsWith(`${folder}/`)
}

function mayCall(order: string[], { from, to }: Import): boolean {
  const [mine, theirs] = [domainOf(from), domainOf(to)]
  if (theirs === undefined) return false
  if (mine === theirs) return true
  return order.indexOf(theirs) < order.indexOf(mine!) && !INNER_FILES.test(to)
}

function domainOf(path: string): string | undefined {
  return /^src\/domains\/([^/]+)\//.exec(path)?.[1]
}

function pageOf(path: string): string | undefined {
  return /^src\/web\/pages\/([^/]+)\//.exec(path)?.[1]
}

function importsOf(from: string): Import[] {
  const statements = textOf(from).matchAll(
    /^(?:import|export)\s+(type\s+)?(?:[^'"]*?\bfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*()['"]([^'"]+)['"]/gm,
  )
  return [...statements].flatMap(([statement, type, specifier, , later]) => {
    const to = resolveImport(from, specifier ?? later!)
    const onlyTypes = /^import\s+\{([^}]*)\}/
      .exec(statement)?.[1]
      ?.split(',')
      .filter(name => name.trim())
      .every(name => name.trim().startsWith('type '))
    return to ? [{ from, to, typeOnly: Boolean(type ?? onlyTypes) }] : []
  })
}

function resolveImport(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return relative(ROOT, resolve(ROOT, dirname(from), specifier))
  for (const [alias, target] of Object.entries(aliases)) {
    const stem = alias.replace('*', '')
    if (alias.includes('*') ? specifier.startsWith(stem) : specifier === alias)
      return target.replace('./', '').replace('*', specifier.slice(stem.length))
  }
  return undefined
}

/** The first circle a walk finds, as the files on it. */
function circleIn(graph: Map<string, Import[]>): string[] {
  const done = new Set<string>()
  const path: string[] = []
  const walk = (file: string): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    path.push(file)
    for (const { to } of graph.get(file) ?? []) {
      const circle = walk(to)
      if (circle) return circle
    }
    path.pop()
    done.add(file)
    return undefined
  }
  for (const file of graph.keys()) {
    const circle = walk(file)
    if (circle) return circle
  }
  return []
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

function show({ from, to }: Import): string {
  return `${from} → ${to}`
}
