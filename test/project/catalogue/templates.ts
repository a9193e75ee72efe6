/**
 * Who makes what, and which labels does the maker set itself? Built-in controllers set a few and nothing else; of an
 * operator we list what it is known to set, and leave the rest open.
 */

import type { GroupKind } from '../../../server/src/engine/catalogue/types.ts';
import type { Mount, TemplateRow } from './records.ts';

const pod: GroupKind = { group: '', kind: 'Pod' };
const claim: GroupKind = { group: '', kind: 'PersistentVolumeClaim' };
const job: GroupKind = { group: 'batch', kind: 'Job' };

const jobLabels = [
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-completion-index',
  'batch.kubernetes.io/job-name',
  'controller-uid',
  'job-name',
];
/** The Job's own pods: the name of the Job is in the file. */
const namedJobLabels = jobLabels.map((key) => (key.endsWith('job-name') ? `${key}=@` : key));
const setLabels = ['controller-revision-hash', 'statefulset.kubernetes.io/pod-name', 'apps.kubernetes.io/pod-index'];
const daemonLabels = ['controller-revision-hash', 'pod-template-generation'];

/** A workload that adds these labels and no others. */
function closed(path: string, sets: readonly string[] = [], makes = pod): TemplateRow {
  return { path, makes, open: false, ...(sets.length > 0 ? { sets } : {}) };
}

/** A maker that adds these labels and perhaps others. `labelsAt` where the file can ask for labels, '' if it cannot. */
function open(path: string, sets: readonly string[] = [], labelsAt?: string, makes = pod): TemplateRow {
  return {
    path,
    makes,
    open: true,
    ...(sets.length > 0 ? { sets } : {}),
    ...(labelsAt === undefined ? {} : { labelsAt }),
  };
}

const machine: GroupKind = { group: 'cluster.x-k8s.io', kind: 'Machine' };
const workloadEntry: GroupKind = { group: 'networking.istio.io', kind: 'WorkloadEntry' };
const revision: GroupKind = { group: 'serving.knative.dev', kind: 'Revision' };
const instance: GroupKind = { group: 'kubevirt.io', kind: 'VirtualMachineInstance' };
const virtualMachineLabels = ['kubevirt.io=virt-launcher', 'kubevirt.io/created-by', 'vm.kubevirt.io/name=@'];
const jobSetLabels = [
  'jobset.sigs.k8s.io/global-replicas',
  'jobset.sigs.k8s.io/job-global-index',
  'jobset.sigs.k8s.io/job-index',
  'jobset.sigs.k8s.io/job-key',
  'jobset.sigs.k8s.io/jobset-name=@',
  'jobset.sigs.k8s.io/replicatedjob-name',
  'jobset.sigs.k8s.io/replicatedjob-replicas',
  'jobset.sigs.k8s.io/restart-attempt',
];
const solverLabels = [
  'acme.cert-manager.io/http-domain',
  'acme.cert-manager.io/http-token',
  'acme.cert-manager.io/http01-solver=true',
];
/** Where the training operator's kinds keep their replicas. */
const trainingJobs: Readonly<Record<string, string>> = {
  JAXJob: 'jaxReplicaSpecs',
  MPIJob: 'mpiReplicaSpecs',
  PaddleJob: 'paddleReplicaSpecs',
  PyTorchJob: 'pytorchReplicaSpecs',
  TFJob: 'tfReplicaSpecs',
  XGBoostJob: 'xgbReplicaSpecs',
};

function byKind(kinds: readonly string[], group: string, rows: readonly TemplateRow[]) {
  return Object.fromEntries(kinds.map((kind) => [`${group}/${kind}`, rows]));
}

/** The pods of a workflow: labels for all of them, and more for those of one step. */
function workflowPods(at: string, nameLabel: string): readonly TemplateRow[] {
  const sets = [nameLabel, 'workflows.argoproj.io/completed'];
  return [
    open(at, sets, `${at}.podMetadata.labels`),
    open(`${at}.templates[]`, sets),
    open(`${at}.templateDefaults`, sets),
  ];
}

function knativeLabels(service: '' | '=@', configuration: '' | '=@'): string[] {
  return [
    `serving.knative.dev/configuration${configuration}`,
    'serving.knative.dev/configurationGeneration',
    'serving.knative.dev/configurationUID',
    'serving.knative.dev/routingState',
    `serving.knative.dev/service${service}`,
    'serving.knative.dev/serviceUID',
  ];
}

function revisionLabels(name: '' | '=@'): string[] {
  return [`app${name}`, 'pod-template-hash', `serving.knative.dev/revision${name}`, 'serving.knative.dev/revisionUID'];
}

function rayPods(at: string, cluster: '' | '=@'): readonly TemplateRow[] {
  const sets = (type: string) => [
    'app.kubernetes.io/created-by=kuberay-operator',
    'app.kubernetes.io/name=kuberay',
    `ray.io/cluster${cluster}`,
    'ray.io/group',
    'ray.io/identifier',
    'ray.io/is-ray-node=yes',
    `ray.io/node-type=${type}`,
  ];
  return [
    open(`${at}.headGroupSpec.template`, sets('head')),
    open(`${at}.workerGroupSpecs[].template`, sets('worker')),
  ];
}

function sparkPods(at: string, name: '' | '=@'): readonly TemplateRow[] {
  return ['driver', 'executor'].map((role) =>
    open(
      `${at}.${role}`,
      [
        `spark-role=${role}`,
        'sparkoperator.k8s.io/launched-by-spark-operator=true',
        `sparkoperator.k8s.io/app-name${name}`,
        'sparkoperator.k8s.io/submission-id',
      ],
      `${at}.${role}.labels`,
    ),
  );
}

function prometheusPods(name: string, sets: readonly string[]): readonly TemplateRow[] {
  const usual = [
    'app.kubernetes.io/instance=@',
    'app.kubernetes.io/managed-by=prometheus-operator',
    `app.kubernetes.io/name=${name}`,
    'app.kubernetes.io/version',
  ];
  return [open('', [...usual, ...sets, ...setLabels], 'spec.podMetadata.labels')];
}

function victoriaLabels(name: string): string[] {
  return [
    'app.kubernetes.io/component=monitoring',
    'app.kubernetes.io/instance=@',
    `app.kubernetes.io/name=${name}`,
    'managed-by=vm-operator',
  ];
}

function victoriaCluster(components: readonly string[]): readonly TemplateRow[] {
  return components.map((name) => open(`spec.${name}`, victoriaLabels(name), `spec.${name}.podMetadata.labels`));
}

function strimziLabels(kind: string, name: string): string[] {
  return [
    'app.kubernetes.io/instance=@',
    'app.kubernetes.io/managed-by=strimzi-cluster-operator',
    `app.kubernetes.io/name=${name}`,
    'app.kubernetes.io/part-of',
    'strimzi.io/cluster=@',
    'strimzi.io/component-type',
    `strimzi.io/kind=${kind}`,
    'strimzi.io/name',
    'strimzi.io/pod-name',
  ];
}

function strimziPods(kind: string, name: string): readonly TemplateRow[] {
  return [open('spec', strimziLabels(kind, name), 'spec.template.pod.metadata.labels')];
}

function perconaPods(name: string): readonly TemplateRow[] {
  const sets = ['app.kubernetes.io/component', 'app.kubernetes.io/instance=@', `app.kubernetes.io/name=${name}`];
  return [open('', [...sets, 'app.kubernetes.io/managed-by', 'app.kubernetes.io/part-of'], '')];
}

function elasticLabels(type: string, nameKey: string): string[] {
  return [`common.k8s.elastic.co/type=${type}`, `${nameKey}=@`];
}

function elasticPods(product: string, type = product): readonly TemplateRow[] {
  return [open('spec', elasticLabels(type, `${product}.k8s.elastic.co/name`), 'spec.podTemplate.metadata.labels')];
}

/** By `group/Kind`. They replace what the facts say of the same place. */
export const TEMPLATES: Readonly<Record<string, readonly TemplateRow[]>> = {
  // Kubernetes.
  '/ReplicationController': [closed('spec.template')],
  '/PodTemplate': [open('template')],
  'apps/Deployment': [closed('spec.template', ['pod-template-hash'])],
  'apps/ReplicaSet': [closed('spec.template')],
  'apps/DaemonSet': [closed('spec.template', daemonLabels)],
  // Each claim also gets the selector's labels.
  'apps/StatefulSet': [closed('spec.template', setLabels), open('spec.volumeClaimTemplates[]', [], undefined, claim)],
  'extensions/Deployment': [closed('spec.template', ['pod-template-hash'])],
  'extensions/ReplicaSet': [closed('spec.template')],
  'extensions/DaemonSet': [closed('spec.template', daemonLabels)],
  'batch/Job': [closed('spec.template', namedJobLabels)],
  'batch/CronJob': [closed('spec.jobTemplate', [], job), closed('spec.jobTemplate.spec.template', jobLabels)],
  'resource.k8s.io/ResourceClaimTemplate': [
    { path: 'spec', makes: { group: 'resource.k8s.io', kind: 'ResourceClaim' }, open: false },
  ],

  // OpenShift.
  'apps.openshift.io/DeploymentConfig': [closed('spec.template', ['deployment', 'deploymentconfig=@'])],

  // Argo. The pods of a Rollout also carry the labels of the role that they play.
  'argoproj.io/Rollout': [open('spec.template', ['rollouts-pod-template-hash'])],
  'argoproj.io/Experiment': [open('spec.templates[].template', ['rollouts-pod-template-hash'])],
  ...byKind(['AnalysisRun', 'AnalysisTemplate', 'ClusterAnalysisTemplate'], 'argoproj.io', [
    open('spec.metrics[].provider.job', [], undefined, job),
    open('spec.metrics[].provider.job.spec.template', jobLabels),
  ]),
  'argoproj.io/Workflow': workflowPods('spec', 'workflows.argoproj.io/workflow=@'),
  'argoproj.io/WorkflowTemplate': workflowPods('spec', 'workflows.argoproj.io/workflow'),
  'argoproj.io/ClusterWorkflowTemplate': workflowPods('spec', 'workflows.argoproj.io/workflow'),
  'argoproj.io/CronWorkflow': workflowPods('spec.workflowSpec', 'workflows.argoproj.io/workflow'),
  'argoproj.io/EventSource': [
    open('spec', ['controller=eventsource-controller', 'eventsource-name=@'], 'spec.template.metadata.labels'),
  ],
  'argoproj.io/Sensor': [
    open('spec', ['controller=sensor-controller', 'sensor-name=@'], 'spec.template.metadata.labels'),
  ],

  // OpenKruise.
  'apps.kruise.io/CloneSet': [
    closed('spec.template', [
      'apps.kruise.io/cloneset-instance-id',
      'controller-revision-hash',
      'lifecycle.apps.kruise.io/state',
      'pod-template-hash',
    ]),
  ],
  'apps.kruise.io/StatefulSet': [closed('spec.template', [...setLabels, 'lifecycle.apps.kruise.io/state'])],
  'apps.kruise.io/DaemonSet': [closed('spec.template', [...daemonLabels, 'lifecycle.apps.kruise.io/state'])],
  'apps.kruise.io/BroadcastJob': [open('spec.template', ['broadcastjob-name=@', 'broadcastjob-controller-uid'])],
  'apps.kruise.io/UnitedDeployment': [
    'advancedStatefulSetTemplate',
    'cloneSetTemplate',
    'deploymentTemplate',
    'statefulSetTemplate',
  ].map((name) => open(`spec.template.${name}.spec.template`, ['apps.kruise.io/subset-name'])),
  'apps.kruise.io/AdvancedCronJob': [
    open('spec.template.jobTemplate.spec.template', jobLabels),
    open('spec.template.broadcastJobTemplate.spec.template', ['broadcastjob-name', 'broadcastjob-controller-uid']),
  ],

  // Knative: a Service makes Revisions, and their pods carry the Revision's labels.
  'serving.knative.dev/Service': [
    open('spec.template', knativeLabels('=@', '=@'), undefined, revision),
    open('spec.template', [...knativeLabels('=@', '=@'), ...revisionLabels('')]),
  ],
  'serving.knative.dev/Configuration': [
    open('spec.template', knativeLabels('', '=@'), undefined, revision),
    open('spec.template', [...knativeLabels('', '=@'), ...revisionLabels('')]),
  ],
  'serving.knative.dev/Revision': [open('', [...knativeLabels('', ''), ...revisionLabels('=@')])],
  'sources.knative.dev/ContainerSource': [
    open('spec.template', [
      'sources.knative.dev/source=container-source-controller',
      'sources.knative.dev/containerSource=@',
    ]),
  ],

  // Tekton: the labels of a run reach its pods.
  'tekton.dev/PipelineRun': [
    open('', ['app.kubernetes.io/managed-by', 'tekton.dev/pipelineRun=@', 'tekton.dev/taskRun']),
  ],
  'tekton.dev/TaskRun': [open('', ['app.kubernetes.io/managed-by', 'tekton.dev/taskRun=@'])],
  'triggers.tekton.dev/EventListener': [
    open(
      'spec',
      ['app.kubernetes.io/managed-by=EventListener', 'app.kubernetes.io/part-of=Triggers', 'eventlistener=@'],
      'spec.resources.kubernetesResource.spec.template.metadata.labels',
    ),
  ],

  // Batch systems.
  'jobset.x-k8s.io/JobSet': [
    open('spec.replicatedJobs[].template', jobSetLabels, undefined, job),
    open('spec.replicatedJobs[].template.spec.template', [...jobSetLabels, ...jobLabels]),
  ],
  'keda.sh/ScaledJob': [open('spec.jobTargetRef.template', ['scaledjob.keda.sh/name=@', ...jobLabels])],
  'batch.volcano.sh/Job': [
    open('spec.tasks[].template', [
      'volcano.sh/job-name=@',
      'volcano.sh/job-namespace',
      'volcano.sh/queue-name',
      'volcano.sh/task-index',
      'volcano.sh/task-spec',
    ]),
  ],
  'leaderworkerset.x-k8s.io/LeaderWorkerSet': ['leaderTemplate', 'workerTemplate'].map((name) =>
    open(`spec.leaderWorkerTemplate.${name}`, [
      'leaderworkerset.sigs.k8s.io/group-index',
      'leaderworkerset.sigs.k8s.io/group-key',
      'leaderworkerset.sigs.k8s.io/name=@',
      'leaderworkerset.sigs.k8s.io/template-revision-hash',
      'leaderworkerset.sigs.k8s.io/worker-index',
    ]),
  ),
  'ray.io/RayCluster': rayPods('spec', '=@'),
  'ray.io/RayJob': rayPods('spec.rayClusterSpec', ''),
  'ray.io/RayCronJob': rayPods('spec.jobTemplate.rayClusterSpec', ''),
  'ray.io/RayService': rayPods('spec.rayClusterConfig', ''),
  ...Object.fromEntries(
    Object.entries(trainingJobs).map(([kind, field]) => [
      `kubeflow.org/${kind}`,
      [
        open(`spec.${field}.*.template`, [
          'training.kubeflow.org/job-name=@',
          'training.kubeflow.org/job-role',
          'training.kubeflow.org/operator-name',
          'training.kubeflow.org/replica-index',
          'training.kubeflow.org/replica-type',
        ]),
      ],
    ]),
  ),
  'sparkoperator.k8s.io/SparkApplication': sparkPods('spec', '=@'),
  'sparkoperator.k8s.io/ScheduledSparkApplication': sparkPods('spec.template', ''),
  'flink.apache.org/FlinkDeployment': [
    open('spec', ['app=@', 'component=jobmanager', 'type=flink-native-kubernetes'], 'spec.podTemplate.metadata.labels'),
    open(
      'spec',
      ['app=@', 'component=taskmanager', 'type=flink-native-kubernetes'],
      'spec.taskManager.podTemplate.metadata.labels',
    ),
  ],

  // Virtual machines run in pods that carry the labels of their instance.
  'kubevirt.io/VirtualMachine': [
    open('spec.template', [], undefined, instance),
    open('spec.template', virtualMachineLabels),
  ],
  'kubevirt.io/VirtualMachineInstance': [open('', virtualMachineLabels)],
  'kubevirt.io/VirtualMachineInstanceReplicaSet': [
    open('spec.template', [], undefined, instance),
    open('spec.template', ['kubevirt.io=virt-launcher', 'kubevirt.io/created-by']),
  ],
  'pool.kubevirt.io/VirtualMachinePool': [
    open('spec.virtualMachineTemplate', [], undefined, { group: 'kubevirt.io', kind: 'VirtualMachine' }),
    open('spec.virtualMachineTemplate.spec.template', [], undefined, instance),
    open('spec.virtualMachineTemplate.spec.template', ['kubevirt.io=virt-launcher', 'kubevirt.io/created-by']),
  ],

  // The Deployments of an operator, as its bundle says them.
  'operators.coreos.com/ClusterServiceVersion': [closed('spec.install.spec.deployments[].spec.template')],

  // The webhook of Cluster API writes these into the template, before the selector is compared with it.
  'cluster.x-k8s.io/MachineDeployment': [
    closed('spec.template', ['cluster.x-k8s.io/cluster-name', 'cluster.x-k8s.io/deployment-name=@'], machine),
  ],
  'cluster.x-k8s.io/MachineSet': [
    closed('spec.template', ['cluster.x-k8s.io/cluster-name', 'cluster.x-k8s.io/set-name=@'], machine),
  ],

  // Monitoring.
  'monitoring.coreos.com/Prometheus': prometheusPods('prometheus', [
    'operator.prometheus.io/mode=server',
    'operator.prometheus.io/name=@',
    'operator.prometheus.io/shard',
    'prometheus=@',
  ]),
  'monitoring.coreos.com/PrometheusAgent': prometheusPods('prometheus-agent', [
    'operator.prometheus.io/mode=agent',
    'operator.prometheus.io/name=@',
    'operator.prometheus.io/shard',
  ]),
  'monitoring.coreos.com/Alertmanager': prometheusPods('alertmanager', ['alertmanager=@']),
  'monitoring.coreos.com/ThanosRuler': prometheusPods('thanos-ruler', ['thanos-ruler=@']),
  ...Object.fromEntries(
    ['VMSingle', 'VMAgent', 'VMAlert', 'VMAlertmanager', 'VMAuth', 'VLSingle', 'VLAgent', 'VTSingle'].map((kind) => [
      `operator.victoriametrics.com/${kind}`,
      [open('spec', victoriaLabels(kind.toLowerCase()), 'spec.podMetadata.labels')],
    ]),
  ),
  'operator.victoriametrics.com/VMCluster': victoriaCluster(['vmselect', 'vmstorage', 'vminsert']),
  'operator.victoriametrics.com/VLCluster': victoriaCluster(['vlselect', 'vlstorage', 'vlinsert']),
  'monitoring.grafana.com/GrafanaAgent': [
    open(
      'spec',
      [
        'app.kubernetes.io/managed-by=grafana-agent-operator',
        'app.kubernetes.io/name=grafana-agent',
        'grafana-agent=@',
      ],
      'spec.podMetadata.labels',
    ),
  ],
  'grafana.integreatly.org/Grafana': [open('', ['app=@'], 'spec.deployment.spec.template.metadata.labels')],
  'opentelemetry.io/OpenTelemetryCollector': [
    open('', [
      'app.kubernetes.io/component=opentelemetry-collector',
      'app.kubernetes.io/instance',
      'app.kubernetes.io/managed-by=opentelemetry-operator',
      'app.kubernetes.io/name',
      'app.kubernetes.io/part-of=opentelemetry',
      'app.kubernetes.io/version',
    ]),
  ],
  'jaegertracing.io/Jaeger': [
    open(
      '',
      [
        'app=jaeger',
        'app.kubernetes.io/component',
        'app.kubernetes.io/instance=@',
        'app.kubernetes.io/managed-by',
        'app.kubernetes.io/name',
        'app.kubernetes.io/part-of=jaeger',
      ],
      'spec.labels',
    ),
  ],

  // Messages and data.
  'kafka.strimzi.io/Kafka': [
    open('spec.kafka', strimziLabels('Kafka', 'kafka'), 'spec.kafka.template.pod.metadata.labels'),
    open(
      'spec.entityOperator',
      strimziLabels('Kafka', 'entity-operator'),
      'spec.entityOperator.template.pod.metadata.labels',
    ),
    open(
      'spec.cruiseControl',
      strimziLabels('Kafka', 'cruise-control'),
      'spec.cruiseControl.template.pod.metadata.labels',
    ),
    open(
      'spec.kafkaExporter',
      strimziLabels('Kafka', 'kafka-exporter'),
      'spec.kafkaExporter.template.pod.metadata.labels',
    ),
    open('spec.zookeeper', strimziLabels('Kafka', 'zookeeper'), 'spec.zookeeper.template.pod.metadata.labels'),
  ],
  'kafka.strimzi.io/KafkaConnect': strimziPods('KafkaConnect', 'kafka-connect'),
  'kafka.strimzi.io/KafkaMirrorMaker2': strimziPods('KafkaMirrorMaker2', 'kafka-mirror-maker-2'),
  'kafka.strimzi.io/KafkaBridge': strimziPods('KafkaBridge', 'kafka-bridge'),
  'kafka.strimzi.io/KafkaNodePool': [
    open(
      'spec',
      ['strimzi.io/cluster', 'strimzi.io/kind=Kafka', 'strimzi.io/pool-name=@'],
      'spec.template.pod.metadata.labels',
    ),
  ],
  'rabbitmq.com/RabbitmqCluster': [
    open(
      '',
      ['app.kubernetes.io/component=rabbitmq', 'app.kubernetes.io/name=@', 'app.kubernetes.io/part-of=rabbitmq'],
      'spec.override.statefulSet.spec.template.metadata.labels',
    ),
  ],
  'postgresql.cnpg.io/Cluster': [
    open(
      '',
      ['cnpg.io/cluster=@', 'cnpg.io/instanceName', 'cnpg.io/instanceRole', 'cnpg.io/podRole=instance', 'role'],
      'spec.inheritedMetadata.labels',
    ),
  ],
  'postgresql.cnpg.io/Pooler': [
    open('', ['cnpg.io/cluster', 'cnpg.io/podRole=pooler', 'cnpg.io/poolerName=@'], 'spec.template.metadata.labels'),
  ],
  'acid.zalan.do/postgresql': [open('', ['application=spilo', 'cluster-name=@', 'spilo-role', 'team'], '')],
  'postgres-operator.crunchydata.com/PostgresCluster': [
    open(
      '',
      [
        'postgres-operator.crunchydata.com/cluster=@',
        'postgres-operator.crunchydata.com/instance',
        'postgres-operator.crunchydata.com/instance-set',
        'postgres-operator.crunchydata.com/role',
      ],
      'spec.metadata.labels',
    ),
  ],
  'pxc.percona.com/PerconaXtraDBCluster': perconaPods('percona-xtradb-cluster'),
  'psmdb.percona.com/PerconaServerMongoDB': perconaPods('percona-server-mongodb'),
  'k8s.mariadb.com/MariaDB': [
    open('', ['app.kubernetes.io/instance=@', 'app.kubernetes.io/name=mariadb'], 'spec.podMetadata.labels'),
  ],
  'mysql.oracle.com/InnoDBCluster': [open('', ['component', 'mysql.oracle.com/cluster=@', 'tier=mysql'], '')],
  'minio.min.io/Tenant': [open('', ['v1.min.io/pool', 'v1.min.io/tenant=@'], '')],
  'databases.spotahome.com/RedisFailover': [
    open(
      '',
      ['app.kubernetes.io/component', 'app.kubernetes.io/name=@', 'app.kubernetes.io/part-of=redis-failover'],
      '',
    ),
  ],
  'solr.apache.org/SolrCloud': [open('', ['solr-cloud=@', 'technology=solr-cloud'], '')],
  'clickhouse.altinity.com/ClickHouseInstallation': [
    open(
      '',
      ['clickhouse.altinity.com/app=chop', 'clickhouse.altinity.com/chi=@', 'clickhouse.altinity.com/cluster'],
      '',
    ),
  ],
  'k8s.keycloak.org/Keycloak': [
    open(
      '',
      [
        'app=keycloak',
        'app.kubernetes.io/component=server',
        'app.kubernetes.io/instance=@',
        'app.kubernetes.io/managed-by=keycloak-operator',
      ],
      'spec.unsupported.podTemplate.metadata.labels',
    ),
  ],
  'elasticsearch.k8s.elastic.co/Elasticsearch': [
    open(
      'spec.nodeSets[]',
      elasticLabels('elasticsearch', 'elasticsearch.k8s.elastic.co/cluster-name'),
      'spec.nodeSets[].podTemplate.metadata.labels',
    ),
  ],
  'kibana.k8s.elastic.co/Kibana': elasticPods('kibana'),
  'apm.k8s.elastic.co/ApmServer': elasticPods('apm', 'apm-server'),
  'logstash.k8s.elastic.co/Logstash': elasticPods('logstash'),
  'enterprisesearch.k8s.elastic.co/EnterpriseSearch': elasticPods('enterprisesearch', 'enterprise-search'),
  'maps.k8s.elastic.co/ElasticMapsServer': elasticPods('maps'),
  'beat.k8s.elastic.co/Beat': ['daemonSet', 'deployment'].map((how) =>
    open(`spec.${how}`, elasticLabels('beat', 'beat.k8s.elastic.co/name'), `spec.${how}.podTemplate.metadata.labels`),
  ),
  'agent.k8s.elastic.co/Agent': ['daemonSet', 'deployment', 'statefulSet'].map((how) =>
    open(`spec.${how}`, elasticLabels('agent', 'agent.k8s.elastic.co/name'), `spec.${how}.podTemplate.metadata.labels`),
  ),
  'ceph.rook.io/CephCluster': [open('', ['app', 'ceph_daemon_id', 'ceph_daemon_type', 'rook_cluster'], '')],

  // Traffic. Who serves a Gateway, and whether with pods of its own, is up to its class.
  'gateway.networking.k8s.io/Gateway': [
    open(
      '',
      ['gateway.networking.k8s.io/gateway-class-name', 'gateway.networking.k8s.io/gateway-name'],
      'spec.infrastructure.labels',
    ),
  ],
  // The primary pods are those of the target, with `-primary` behind the value of the label that selects them.
  'flagger.app/Canary': [open('', ['app', 'app.kubernetes.io/name', 'name'], '')],
  ...byKind(['ClusterIssuer', 'Issuer'], 'cert-manager.io', [
    open(
      'spec.acme.solvers[].http01.ingress',
      solverLabels,
      'spec.acme.solvers[].http01.ingress.podTemplate.metadata.labels',
    ),
    open(
      'spec.acme.solvers[].http01.gatewayHTTPRoute',
      solverLabels,
      'spec.acme.solvers[].http01.gatewayHTTPRoute.podTemplate.metadata.labels',
    ),
  ]),
  'acme.cert-manager.io/Challenge': [open('', solverLabels, '')],

  // It is selected by these labels and by its own together.
  'networking.istio.io/WorkloadEntry': [open('', [], 'spec.labels', workloadEntry)],
};

const template = (path: string): Mount => ({ path, part: 'PodTemplateSpec' });
const peers: readonly Mount[] = ['spec.ingress[].from[]', 'spec.egress[].to[]'].map((path) => ({
  path,
  part: 'NetworkPolicyPeer',
}));

/** Where the types that occur in many kinds sit in kinds that the list of embedded types leaves out. */
export const MOUNTS: Readonly<Record<string, readonly Mount[]>> = {
  '/Pod': [{ path: 'spec', part: 'PodSpec' }],
  '/PodTemplate': [template('template')],
  '/ReplicationController': [template('spec.template')],
  '/PersistentVolumeClaim': [{ path: 'spec', part: 'PersistentVolumeClaimSpec' }],
  'apps/Deployment': [template('spec.template')],
  'apps/ReplicaSet': [template('spec.template')],
  'apps/DaemonSet': [template('spec.template')],
  'apps/StatefulSet': [
    template('spec.template'),
    { path: 'spec.volumeClaimTemplates[]', part: 'PersistentVolumeClaimTemplate' },
  ],
  'extensions/Deployment': [template('spec.template')],
  'extensions/ReplicaSet': [template('spec.template')],
  'extensions/DaemonSet': [template('spec.template')],
  'batch/Job': [template('spec.template')],
  'batch/CronJob': [template('spec.jobTemplate.spec.template')],
  'networking.k8s.io/NetworkPolicy': peers,
  'apps.openshift.io/DeploymentConfig': [template('spec.template')],
  ...Object.fromEntries(
    ['CloneSet', 'StatefulSet', 'DaemonSet', 'BroadcastJob'].map((kind) => [
      `apps.kruise.io/${kind}`,
      [template('spec.template')],
    ]),
  ),
  'apps.kruise.io/UnitedDeployment': [
    'advancedStatefulSetTemplate',
    'cloneSetTemplate',
    'deploymentTemplate',
    'statefulSetTemplate',
  ].map((name) => template(`spec.template.${name}.spec.template`)),
  'apps.kruise.io/AdvancedCronJob': [
    template('spec.template.jobTemplate.spec.template'),
    template('spec.template.broadcastJobTemplate.spec.template'),
  ],
  ...Object.fromEntries(
    Object.entries(trainingJobs).map(([kind, field]) => [
      `kubeflow.org/${kind}`,
      [template(`spec.${field}.*.template`)],
    ]),
  ),
  'batch.volcano.sh/Job': [template('spec.tasks[].template')],
  'sources.knative.dev/ContainerSource': [template('spec.template')],
  'extensions/NetworkPolicy': peers,
};
