import type { ComponentType, SVGProps } from 'react'

type IconProps = Omit<SVGProps<SVGSVGElement>, 'stroke'> & { size?: number; stroke?: number }

export type Icon = ComponentType<IconProps>

/** The component behind `import … from 'icon:name'`. */
export function iconOf(paths: readonly string[]): Icon {
  return ({ size = 16, stroke = 1.6, ...rest }) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    >
      {paths.map(path => (
        <path key={path} d={path} />
      ))}
    </svg>
  )
}
