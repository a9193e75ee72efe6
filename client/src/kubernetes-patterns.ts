/** Which files does the YAML extension check against the schema of Kubernetes? As its setting `yaml.schemas` says. */

/** The patterns of the schemas whose name or address names Kubernetes. */
export function kubernetesPatterns(schemas: unknown): readonly string[] {
  if (typeof schemas !== 'object' || schemas === null) return [];
  return Object.entries(schemas)
    .filter(([schema]) => schema.toLowerCase().includes('kubernetes'))
    .flatMap(([, patterns]): readonly unknown[] => (Array.isArray(patterns) ? patterns : [patterns]))
    .filter((pattern) => typeof pattern === 'string');
}
