import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Secret } from 'kubernetes-models/v1/Secret'
import { Service } from 'kubernetes-models/v1/Service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { findProxy } from '../scripts/proxies.mjs'
import { variables } from '../src/variables.ts'

const read = (file: string) => readFileSync(new URL(`../deploy/${file}`, import.meta.url), 'utf8')
const known = new Set<string>(variables.map(({ name }) => name))
const required = ['BASE_URL', 'SESSION_SECRET', 'CRON_SECRET', 'DATABASE_URL']
const SYSTEMD = '/usr/bin/systemd-analyze'

test('the Containerfile is sound, runs as nobody in particular, and checks its health', () => {
  const text = read('Containerfile')
  expect(validate(text).map(({ message }) => message)).toEqual([])
  const [, last] = text.split(/^FROM .* AS build$/m)
  expect(last).toMatch(/^USER 10001$/m)
  expect(last).toMatch(/^HEALTHCHECK [^]*\/healthz/m)
})

describe('Kubernetes', () => {
  const kinds = { Deployment, HorizontalPodAutoscaler, PodDisruptionBudget, Secret, Service }
  const objects = ['rapport.yaml', 'secret.yaml'].flatMap(file =>
    parseAllDocuments(read(`kubernetes/${file}`)).map(document => document.toJS() as Manifest),
  )
  type Manifest = { kind: keyof typeof kinds; metadata: { name: string }; spec?: any; stringData?: object }
  const deployments = objects.filter(({ kind }) => kind === 'Deployment')

  test.for(objects.map(object => [`${object.kind} ${object.metadata.name}`, object] as const))(
    '%s matches the schema',
    ([, object]) => {
      const Kind = kinds[object.kind] as unknown as new (data: unknown) => { validate(): void }
      new Kind(object).validate()
    },
  )

  test('every process has what it needs to stop in time, and no more rights than it needs', () => {
    expect(deployments).toHaveLength(2)
    for (const { spec } of deployments) {
      const pod = spec.template.spec
      expect(pod.securityContext.runAsNonRoot).toBe(true)
      for (const container of [...(pod.initContainers ?? []), ...pod.containers]) {
        expect(container.securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
        })
      }
      const [{ env = [], livenessProbe }] = pod.containers
      expect(livenessProbe.httpGet.path).toBe('/healthz')
      const drain = env.find(({ name }: { name: string }) => name === 'SHUTDOWN_DRAIN_MS')?.value ?? 0
      expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(Number(drain) + 10_000)
    }
  })

  test('a pod gets requests until it says that it stops, and is noticed before it does', () => {
    const [{ readinessProbe, env }] = deployments[0]!.spec.template.spec.containers
    expect(readinessProbe.httpGet.path).toBe('/readyz')
    const noticedAfterMs = readinessProbe.periodSeconds * readinessProbe.failureThreshold * 1000
    expect(Number(env[0].value)).toBeGreaterThan(2 * noticedAfterMs)
  })

  test('the Secret has every variable without a default, and none that does not exist', () => {
    const names = Object.keys(objects.find(({ kind }) => kind === 'Secret')!.stringData!)
    expect(names).toEqual(expect.arrayContaining(required))
    expect(names.filter(name => !known.has(name))).toEqual([])
  })
})

describe('compose', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, any>
    volumes: object
  }

  test('api and worker start when the schema is there, and stop within their grace period', () => {
    for (const name of ['api', 'worker']) {
      expect(services[name].depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } })
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'], stop_grace_period: '20s' })
      for (const variable of Object.keys(services[name].environment)) expect(known).toContain(variable)
    }
    expect(services.migrate.restart).toBe('no')
  })

  test('every volume and service that is named exists', () => {
    for (const service of Object.values(services)) {
      for (const name of Object.keys(service.depends_on ?? {})) expect(Object.keys(services)).toContain(name)
      for (const volume of (service.volumes ?? []) as string[])
        if (!volume.startsWith('.')) expect(Object.keys(volumes)).toContain(volume.split(':')[0])
    }
  })

  test('its example of settings names existing variables only', () => {
    const names = read('rapport.env.example').match(/^\w+(?==)/gm)!
    expect(names).toEqual(expect.arrayContaining(required))
    expect(names.filter(name => !known.has(name))).toEqual([])
  })
})

test.skipIf(!findProxy('haproxy'))(
  'HAProxy accepts its configuration (needs HAProxy: scripts/proxies.mjs)',
  () => {
    const file = new URL('../deploy/haproxy.cfg', import.meta.url).pathname
    const { status, stdout, stderr } = spawnSync(findProxy('haproxy')!, ['-c', '-f', file], {
      encoding: 'utf8',
    })
    expect(status, stdout + stderr).toBe(0)
  },
)

test.skipIf(!existsSync(SYSTEMD)).for(['api', 'worker'])(
  'systemd accepts the unit of the %s (needs systemd-analyze)',
  name => {
    const folder = mkdtempSync(join(tmpdir(), 'rapport-units-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, `rapport-${name}@.service`)
    // The program is checked for as well, and is installed elsewhere.
    writeFileSync(
      file,
      read(`systemd/rapport-${name}@.service`).replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`),
    )
    const { status, stderr } = spawnSync(SYSTEMD, ['verify', file], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  },
)
