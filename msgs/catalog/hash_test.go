package catalog_test

import (
	"regexp"
	"strings"
	"testing"

	"sinew/msgs/catalog"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_srvs"
)

// hashesROS2 are the type hashes of the packages that ROS 2 has. Those of
// PoseStamped, Float64MultiArray and ParticipantEntitiesInfo were seen on ROS 2
// Jazzy; the others are known from public sources that quote ROS 2, but for
// Empty_Response, Gid and NodeEntitiesInfo. The hash of a message covers all it
// nests, so that the known ones vouch for Gid and NodeEntitiesInfo too, and the hash of a
// service (hashesServices) for its halves. Of the services of lifecycle_msgs and
// simulation_interfaces whose hashes are not known the nested messages are, but for
// SimulatorFeatures.
var hashesROS2 = map[string]string{
	"diagnostic_msgs/msg/DiagnosticArray":                         "RIHS01_5a8a36efb05fb25070fa0fb3810290c0e6cd4862b54a8fb975a1ee8dc55a333e",
	"diagnostic_msgs/msg/DiagnosticStatus":                        "RIHS01_b0e3e692ea2d54a8af2f4ef1930e81556a2db55216b771f8a7d2724ed47bf0e4",
	"diagnostic_msgs/msg/KeyValue":                                "RIHS01_d68081eaa540288c5440753baecef0c4e16e81a5f78ad68902ded5100413bb42",
	"geometry_msgs/msg/Point":                                     "RIHS01_6963084842a9b04494d6b2941d11444708d892da2f4b09843b9c43f42a7f6881",
	"geometry_msgs/msg/PointStamped":                              "RIHS01_4c0296af86e01e562e9e0405d138a01537247580076c58ea38d7923ac1045897",
	"geometry_msgs/msg/Pose":                                      "RIHS01_d501954e9476cea2996984e812054b68026ae0bfae789d9a10b23daf35cc90fa",
	"geometry_msgs/msg/PoseArray":                                 "RIHS01_af0cc36d190e104d546d168d6b39df04fa4b4ccecf59cb4c9ed328d3d5004aa0",
	"geometry_msgs/msg/PoseStamped":                               "RIHS01_10f3786d7d40fd2b54367835614bff85d4ad3b5dab62bf8bca0cc232d73b4cd8",
	"geometry_msgs/msg/Quaternion":                                "RIHS01_8a765f66778c8ff7c8ab94afcc590a2ed5325a1d9a076ffff38fbce36f458684",
	"geometry_msgs/msg/Transform":                                 "RIHS01_beb83fbe698636351461f6f35d1abb20010c43d55374d81bd041f1ba2581fddc",
	"geometry_msgs/msg/TransformStamped":                          "RIHS01_0a241f87d04668d94099cbb5ba11691d5ad32c2f29682e4eb5653424bd275206",
	"geometry_msgs/msg/Twist":                                     "RIHS01_9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a",
	"geometry_msgs/msg/TwistStamped":                              "RIHS01_5f0fcd4f81d5d06ad9b4c4c63e3ea51b82d6ae4d0558f1d475229b1121db6f64",
	"geometry_msgs/msg/Vector3":                                   "RIHS01_cc12fe83e4c02719f1ce8070bfd14aecd40f75a96696a67a2a1f37f7dbb0765d",
	"geometry_msgs/msg/Wrench":                                    "RIHS01_018e8519d57c16adbe97c9fe1460ef21fec7e31bc541de3d653a35895677ce52",
	"geometry_msgs/msg/WrenchStamped":                             "RIHS01_8dc3deaf06b2ab281f9f9a742a8961c328ca7cec16e3fd6586d3a5c83fa78f77",
	"geometry_msgs/msg/Accel":                                     "RIHS01_dc448243ded9b1fcbcca24aba0c22f013dae06c354ba2d849571c0a2a3f57ca0",
	"lifecycle_msgs/msg/State":                                    "RIHS01_dd2d02b82f3ebc858e53c431b1e6e91f3ffc71436fc81d0715214ac6ee2107a0",
	"lifecycle_msgs/msg/Transition":                               "RIHS01_c65d7b31ea134cba4f54fc867b817979be799f7452035cd35fac9b7421fb3424",
	"lifecycle_msgs/msg/TransitionDescription":                    "RIHS01_c5f1cd4bb1ad2ba0e3329d4ac7015c52a674a72c1faf7974c37a33f4f6048b28",
	"lifecycle_msgs/msg/TransitionEvent":                          "RIHS01_d5f8873a2f0146498f812d7885c7327ce27e463d36811d8792f35ee38c0d6c38",
	"lifecycle_msgs/srv/ChangeState_Request":                      "RIHS01_d74c6f524e14cade7b67e7297190360ed749264af300524fc1456f27cc2a553a",
	"lifecycle_msgs/srv/ChangeState_Response":                     "RIHS01_e1ddfed0271fefe63767aa71561926e4d9eac0f1ddf9e71a8873eb46b36deac2",
	"lifecycle_msgs/srv/GetAvailableStates_Request":               "RIHS01_c2c0c12de6023822f284929577d4ca2862e0501150010966e8a90b632e4424de",
	"lifecycle_msgs/srv/GetAvailableStates_Response":              "RIHS01_223e0dd5bb8a847ebb9532adaf8b5e2a97e6e68e79faeaabd81a45fb32925bd1",
	"lifecycle_msgs/srv/GetAvailableTransitions_Request":          "RIHS01_52a73c0b5d7489bee0df6ddb0aec45c41289d223ff225b58fe11d859ac8109a6",
	"lifecycle_msgs/srv/GetAvailableTransitions_Response":         "RIHS01_4711339461aadf02bcfff797a198de911f885074bd3f2fe9f7b677ef87f0741c",
	"lifecycle_msgs/srv/GetState_Request":                         "RIHS01_77a9c844e7975f15bc2221e8bbebafc4d118afb78c7f7071eef91f83f940f2f6",
	"lifecycle_msgs/srv/GetState_Response":                        "RIHS01_fe249babab472e42cb5653b5d6a6b0c42a003b0fdfb84851aea3fde08760b4f5",
	"simulation_interfaces/msg/EntityState":                       "RIHS01_2e0464a85eb80a939025075d6c20761eca6a4cb9d6baf2c0ba373467c8b598d0",
	"simulation_interfaces/msg/Result":                            "RIHS01_cf43a306adff3337a0a47143d8f5689933bc70a30478f13b077dc1fe3bc5ad17",
	"simulation_interfaces/msg/SimulationState":                   "RIHS01_bb9f87ccdd98fba113052a512d9801e84ce732d0a2b3c2b0cb281828de36e415",
	"simulation_interfaces/msg/SimulatorFeatures":                 "RIHS01_8b101c8529bc0ea3dcf056078254768f39832b9ef0adaf93bd5cea96c0de3305",
	"simulation_interfaces/srv/GetEntityState_Request":            "RIHS01_580141cc957c4ee99a7e46bc545db351ab9ce6c3099d4092b1186ddc6a38bd5a",
	"simulation_interfaces/srv/GetEntityState_Response":           "RIHS01_125f1ca9dc2fc072443deb28587bbb1026fa34db4dfaf59e9a6b7128e0c81331",
	"simulation_interfaces/srv/GetSimulationState_Request":        "RIHS01_c6d65bc5c0a95ca2886bc57f146f803e01722c84ddb5acd5f32a4417f55eecfb",
	"simulation_interfaces/srv/GetSimulationState_Response":       "RIHS01_dc80ce852a5ab04c2b23cdd47910cee1bcc46e0f1931cac85825e6916b15517f",
	"simulation_interfaces/srv/GetSimulatorFeatures_Request":      "RIHS01_982b8c1adef1d556f6ecdc019d1269fc39413626a9222d73b4fc874bd798b7db",
	"simulation_interfaces/srv/GetSimulatorFeatures_Response":     "RIHS01_ede4dc8227cbb2f86a24612c999dcaa67d17dab21dab566cefdc233e7a2a65d1",
	"simulation_interfaces/srv/ResetSimulation_Request":           "RIHS01_2c766d09c3aa30f01fadc55a42fd760b63db358c7d1d3b6a64ea9978225ffbc7",
	"simulation_interfaces/srv/ResetSimulation_Response":          "RIHS01_718428121e0f1755720878d3c28f1688da7581ee5a5d56d26d10d941a28a50a0",
	"simulation_interfaces/srv/SetSimulationState_Request":        "RIHS01_73283477d36ba619db2ac37a3e599077ca244502c9d8ca2a7183afcb2224f476",
	"simulation_interfaces/srv/SetSimulationState_Response":       "RIHS01_6351aebf2bbf06e2993977918b944240f7403b532a9e4a344c53e71a56afd174",
	"simulation_interfaces/srv/StepSimulation_Request":            "RIHS01_cda33f6887815f3dce0f90e61fd8efd39bda13ae264ddede15c33fbad890630e",
	"simulation_interfaces/srv/StepSimulation_Response":           "RIHS01_5b4acf2d0ce7c3fc125d0bef2acb9b5a81377e80db6b696b81beeffb9824fb5c",
	"type_description_interfaces/msg/Field":                       "RIHS01_c0b01379cd4226281285ccaf6be46653968f855f7c5e41614ff5d7a854efef7c",
	"type_description_interfaces/msg/FieldType":                   "RIHS01_a70b6dd919645a03a3586f7f821defbc886ea3e531a1d95cc0f380a3973ccaa6",
	"type_description_interfaces/msg/IndividualTypeDescription":   "RIHS01_55c827d86c3c141bdd318fe6c22e11190e4d3b37c8f4f9751a084aa05ce96560",
	"type_description_interfaces/msg/KeyValue":                    "RIHS01_274fe56bf14f33c7512e34c646a37579ee36779f745f049a9760763e817f0c42",
	"type_description_interfaces/msg/TypeDescription":             "RIHS01_739f2508c9fa3a6f330913ff5b9d25fb74159a077da71e1087f51a60c12a080b",
	"type_description_interfaces/msg/TypeSource":                  "RIHS01_faeaec7596c04ecf5b6e99ad225e4c7cbb997ad5435f793526fb3984d011aae5",
	"type_description_interfaces/srv/GetTypeDescription_Request":  "RIHS01_470f56ccbcf13d55c78c8b735fb12da03e639e5acded994426c89d94778d9e28",
	"type_description_interfaces/srv/GetTypeDescription_Response": "RIHS01_648c49d976240861a482f961c5621ddd0d2135d8cce6f297a76d4f6376d93b75",
	"foxglove_msgs/msg/PoseInFrame":                               "RIHS01_1845ac4cd5c79fed67d1b392a5f719cf3fbd4019eff82969bb18fcbfa6fcc5f4", // by rosbags 0.11.9, as the four below
	"geometry_msgs/msg/PoseWithCovariance":                        "RIHS01_9a7c0fd234b7f45c6098745ecccd773ca1085670e64107135397aee31c02e1bb",
	"geometry_msgs/msg/PoseWithCovarianceStamped":                 "RIHS01_26432f9803e43727d3c8f668d1fdb3c630f548af631e2f4e31382371bfea3b6e",
	"geometry_msgs/msg/TwistWithCovariance":                       "RIHS01_49f574f033f095d8b6cd1beaca5ca7925e296e84af1716d16c89d38b059c8c18",
	"nav_msgs/msg/Odometry":                                       "RIHS01_3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0",
	"nav_msgs/msg/Path":                                           "RIHS01_1957a5bb3cee5da65c4e52e52b65a93df227efce4c20f8458b36e73066ca334b",
	"rmw_dds_common/msg/Gid":                                      "RIHS01_ab6f21cfbb0a6dbb837161e1110c2051a2850ed9f9c53944d7115d9bcebedf71",
	"rmw_dds_common/msg/NodeEntitiesInfo":                         "RIHS01_8ffef65ee2d088c63b1e8fcd31e800ba9fc8dbe0ee15ca60d1676de5218087a7",
	"rmw_dds_common/msg/ParticipantEntitiesInfo":                  "RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e",
	"rcl_interfaces/msg/FloatingPointRange":                       "RIHS01_e6af23a23c177fee5f3075c8b1e435162a9b63c863d78c06017460b49684262d",
	"rcl_interfaces/msg/IntegerRange":                             "RIHS01_f7b7fdc0f65f07702e099218e13288c3963bcb9345bde78b560e6cd19800fc5a",
	"rcl_interfaces/msg/ListParametersResult":                     "RIHS01_237ae3428413dcbcfb452b510c42355f3a2b021dc091afa3e18526d57022f1cd",
	"rcl_interfaces/msg/Log":                                      "RIHS01_e28ce254ca8abc06abf92773b74602cdbf116ed34fbaf294fb9f81da9f318eac",
	"rcl_interfaces/msg/Parameter":                                "RIHS01_ddfe6442cffc462317adb5c92536a7b6dd55858c5c3e1e328165a6b73c2831af",
	"rcl_interfaces/msg/ParameterDescriptor":                      "RIHS01_52175dbfda6c51153101d33d2a9da05743f66f02d5ab2ca9ec4709b46b73d704",
	"rcl_interfaces/msg/ParameterEvent":                           "RIHS01_043e627780fcad87a22d225bc2a037361dba713fca6a6b9f4b869a5aa0393204",
	"rcl_interfaces/msg/ParameterValue":                           "RIHS01_115fc089a387e23c7ecd3525c9189c379109119d6ab82e8dfbde0fdf6a7f9b68",
	"rcl_interfaces/msg/SetParametersResult":                      "RIHS01_cfcc0fb0371ee5159b403960ef4300f8f9d2f1fd6117c8666b7f9654d528a9b1",
	"rcl_interfaces/srv/DescribeParameters_Request":               "RIHS01_05dd1c2bc87dec2627105c8070d6f9725c781a4f2ab852975bf105462b82b644",
	"rcl_interfaces/srv/DescribeParameters_Response":              "RIHS01_ad6747319613c6131589e062e095b469a46cc764f7d0f12a001a49e6cd893995",
	"rcl_interfaces/srv/GetParameterTypes_Request":                "RIHS01_87d7ec5ef545d4daa289d500025d31fb2437bc8b8365ca367161c4dac4be33fd",
	"rcl_interfaces/srv/GetParameterTypes_Response":               "RIHS01_ac1335dce67c478e669434f6ac2fbff34fcd529580f272d3006785ba8b54e47f",
	"rcl_interfaces/srv/GetParameters_Request":                    "RIHS01_135a9e1c3d7cebef792f6687d7ddf99949b21a0bd9a320d863a9110a3f5cf4d6",
	"rcl_interfaces/srv/GetParameters_Response":                   "RIHS01_9fa773b46e39cc5d02db6224d8fd520bb9caeeffc2b27c96c1e59431baba9f2a",
	"rcl_interfaces/srv/ListParameters_Request":                   "RIHS01_a1b0b5d6b967a5b8ac5bc8563c3ea678f349e312a6a4967227c5a96bc5ce38df",
	"rcl_interfaces/srv/ListParameters_Response":                  "RIHS01_31b937b82de3612426be79f231e386259f97e8dc843e3f2845288b4bfa296bdd",
	"rcl_interfaces/srv/SetParameters_Request":                    "RIHS01_130d46386b7e84ea9ecf60608a4d83cbe5e5cb7c6cc5b712b7a4e3a6c254e932",
	"rcl_interfaces/srv/SetParameters_Response":                   "RIHS01_7a0e8140a0b8d98308fa81a5403a766e610af29a239caf54b7553227906fc266",
	"rcl_interfaces/srv/SetParametersAtomically_Request":          "RIHS01_db0bd950ed5ed867a0e90b225e44dea382d762c0762ff3e0ee842190042a59e5",
	"rcl_interfaces/srv/SetParametersAtomically_Response":         "RIHS01_31b1a38c5b0b9d893ee24da45f69638f4561c78461d82d52750f429b534502b8",
	"rosgraph_msgs/msg/Clock":                                     "RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564",
	"sensor_msgs/msg/CompressedImage":                             "RIHS01_15640771531571185e2efc8a100baf923961a4d15d5569652e6cb6691e8e371a",
	"sensor_msgs/msg/Imu":                                         "RIHS01_7d9a00ff131080897a5ec7e26e315954b8eae3353c3f995c55faf71574000b5b",
	"sensor_msgs/msg/JointState":                                  "RIHS01_a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e",
	"sensor_msgs/msg/MagneticField":                               "RIHS01_e80f32f56a20486c9923008fc1a1db07bbb273cbbf6a5b3bfa00835ee00e4dff",
	"sensor_msgs/msg/CameraInfo":                                  "RIHS01_b3dfd68ff46c9d56c80fd3bd4ed22c7a4ddce8c8348f2f59c299e73118e7e275",
	"sensor_msgs/msg/Image":                                       "RIHS01_d31d41a9a4c4bc8eae9be757b0beed306564f7526c88ea6a4588fb9582527d47",
	"sensor_msgs/msg/RegionOfInterest":                            "RIHS01_ad16bcba5f9131dcdba6fbded19f726f5440e3c513b4fb586dd3027eeed8abb1",
	"std_msgs/msg/Bool":                                           "RIHS01_feb91e995ff9ebd09c0cb3d2aed18b11077585839fb5db80193b62d74528f6c9",
	"std_msgs/msg/ColorRGBA":                                      "RIHS01_77a7a5b9ae477306097665106e0413ba74440245b1f3d0c6d6405fe5c7813fe8",
	"std_msgs/msg/Float64":                                        "RIHS01_705ba9c3d1a09df43737eb67095534de36fd426c0587779bda2bc51fe790182a",
	"std_msgs/msg/Float64MultiArray":                              "RIHS01_1025ddc6b9552d191f89ef1a8d2f60f3d373e28b283d8891ddcc974e8c55397f",
	"std_msgs/msg/Header":                                         "RIHS01_f49fb3ae2cf070f793645ff749683ac6b06203e41c891e17701b1cb597ce6a01",
	"std_msgs/msg/MultiArrayDimension":                            "RIHS01_5e773a60a4c7fc8a54985f307c7837aa2994252a126c301957a24e31282c9cbe",
	"std_msgs/msg/MultiArrayLayout":                               "RIHS01_4c66e6f78e740ac103a94cf63259f968e48c617e7699e829b63c21a5cb50dac6",
	"std_msgs/msg/String":                                         "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18",
	"std_srvs/srv/Empty_Request":                                  "RIHS01_458eaf200a3f63d9cc53d19436edebc0c140ef4c93ca75d5bd4ce19fd7759e35",
	"std_srvs/srv/Empty_Response":                                 "RIHS01_0a2858b3f60df644a61d0fa44cfc923a3d3628e0ad9c8ad8534b1a2c92a413dc",
	"std_srvs/srv/Trigger_Request":                                "RIHS01_d010825374ce8918e72bfd826c82603e60f45419e932ea976f807b74a863a199",
	"std_srvs/srv/SetBool_Request":                                "RIHS01_c62fbb99d94e1b25e8ef9e109f9581956bb1b3361a45a4e5810c36a90d29932e",
	"std_srvs/srv/SetBool_Response":                               "RIHS01_d0814e7f7b4880ab77e9c57426c7aa1562ab69f11eef8e2e968812f9cbd0b059",
	"std_srvs/srv/Trigger_Response":                               "RIHS01_2d946c21e2fc3f1e9ca6986a8191d85fcc70097a8bb7771a053564bc47009cdf",
	"tf2_msgs/msg/TFMessage":                                      "RIHS01_e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087",
	"geometry_msgs/msg/Pose2D":                                    "RIHS01_d68efa5b46e70f7b16ca23085474fdac5a44b638783ec42f661da64da4724ccc", // by rosbags 0.11.9 from the files of vision_msgs 4.1.1, as the seven below and the three of CameraInfo and Image
	"vision_msgs/msg/BoundingBox2D":                               "RIHS01_008eacbb0cf8f26e83795547bed013eec3675485ef386ec056d80eaaf1c1ce2f",
	"vision_msgs/msg/Detection2D":                                 "RIHS01_0d12b69df5c593b3455b7346fac8205437a7d4bcb09b9e0e0b2dde787ded38ea",
	"vision_msgs/msg/Detection2DArray":                            "RIHS01_214274120007f4a683866481336b70310268cfa107aebe9d594a6acf75bda968",
	"vision_msgs/msg/ObjectHypothesis":                            "RIHS01_51da43cec11c01957a64d1e05a24acd18aae7745ec30b74348ad5f6d634f7f90",
	"vision_msgs/msg/ObjectHypothesisWithPose":                    "RIHS01_41c12344c0396c48b81df12467c192d99b2a0eb1463c5c37194e4223251c80bc",
	"vision_msgs/msg/Point2D":                                     "RIHS01_eab0e83f44ab4de92ceaf76dd7d0e7638f2bdd1d16ffbe16c7a136c48e407247",
	"vision_msgs/msg/Pose2D":                                      "RIHS01_b0b5d1d7b4c20dd4fcde3ed1d4b289a919290572007d67a97043814db25d3648",
	"visualization_msgs/msg/Marker":                               "RIHS01_45b13ccf791f225962bf74e746f9644518855d783a6f42ba0cc14fde2b4f3ce0",
	"visualization_msgs/msg/MarkerArray":                          "RIHS01_86cb8800b6fb05b5eff1abd7a56f62a5641d3ae9a1c29e78e67e704f1d067dcf",
	"visualization_msgs/msg/MeshFile":                             "RIHS01_7710ece15a148fb7c9b546364cfb215bb06098087bd6394fe5b73a493508f8c4",
	"visualization_msgs/msg/UVCoordinate":                         "RIHS01_f27f7ed21fe360c6066944f856b801a0c0d1e94e815b6886444b42d90b196a26",
}

// hashesServices are the type hashes of services, known from public sources that quote ROS 2
// Jazzy and later.
var hashesServices = map[string]string{
	"rcl_interfaces/DescribeParameters":              "RIHS01_845b484d71eb0673dae682f2e3ba3c4851a65a3dcfb97bddd82c5b57e91e4cff",
	"rcl_interfaces/GetParameterTypes":               "RIHS01_da199c878688b3e530bdfe3ca8f74cb9fa0c303101e980a9e8f260e25e1c80ca",
	"rcl_interfaces/GetParameters":                   "RIHS01_bf9803d5c74cf989a5de3e0c2e99444599a627c7ff75f97b8c05b01003675cbc",
	"rcl_interfaces/ListParameters":                  "RIHS01_3e6062bfbb27bfb8730d4cef2558221f51a11646d78e7bb30a1e83afac3aad9d",
	"rcl_interfaces/SetParameters":                   "RIHS01_56eed9a67e169f9cb6c1f987bc88f868c14a8fc9f743a263bc734c154015d7e0",
	"rcl_interfaces/SetParametersAtomically":         "RIHS01_0e192ef259c07fc3c07a13191d27002222e65e00ccec653ca05e856f79285fcd",
	"lifecycle_msgs/ChangeState":                     "RIHS01_356fe34f0475a43acf54542013af4167b0e729f77ea22ffb045c6ad8e20668e5",
	"lifecycle_msgs/GetAvailableTransitions":         "RIHS01_59b7ecefce0982a8a844b9f2c4f14764c1c4543cc55e72924e2aa4adad83e9bc",
	"simulation_interfaces/ResetSimulation":          "RIHS01_4ce285d7ff9b8ac70dcc95161f32bf54c05a6f4b13427990e41ab40c36c39646",
	"simulation_interfaces/StepSimulation":           "RIHS01_913fe0653690ce6bf8f09f316e6a626747012e9fca31e26719910d417aa8565c",
	"type_description_interfaces/GetTypeDescription": "RIHS01_69b9c19c1021405984cc60dbbb1edceb147a6538b411d812ba6afabeed962cd5",
	"std_srvs/Empty":                                 "RIHS01_5888399dedec5ccc85ea6451949fd2c9f97bfdf963f9a588821639fcd31b5d19",
	"std_srvs/SetBool":                               "RIHS01_abe9e4bb6b41b40e6789712c00ec8871923e089af3f667a79992a428cff2da0a",
	"std_srvs/Trigger":                               "RIHS01_eeff2cd6fa5ad9d27cdf4dec64818317839b62f212a91e6b5304b634b2062c5f",
}

// TestServiceHashes: every service of a package that ROS 2 has where the hash is known.
func TestServiceHashes(t *testing.T) {
	known := 0
	for _, s := range catalog.Services() {
		want, quoted := hashesServices[s.Name]
		if quoted {
			known++
		}
		if quoted && s.Hash != want || !strings.HasPrefix(s.Hash, "RIHS01_") {
			t.Errorf("%s: got %q, want %q", s.Name, s.Hash, want)
		}
	}
	if known != len(hashesServices) {
		t.Errorf("%d services are known, want %d", known, len(hashesServices))
	}
}

// hashesOwn are the type hashes of our own messages. Nobody else computes them:
// they are here because peers must see them change only with the field lists.
var hashesOwn = map[string]string{
	"sinew_msgs/msg/CoilCurrents":   "RIHS01_02fc2d90badc8d05d93dd7d72567844a2daac07104220ffea805fbe307313ddc",
	"sinew_msgs/msg/Contact":        "RIHS01_601c2a063dfc04d9aee38aca916d83f01365a8bcc30a929aec51bc940ef17d1b",
	"sinew_msgs/msg/Contacts":       "RIHS01_7c1b3251619de76178828a21998f85f8b48b4bebe9af0c77110d643fcc393331",
	"sinew_msgs/msg/FieldGradient":  "RIHS01_4c21964677642988c34d9a07e7a740173ce75a9f7ab6bb802765fdccae3e42bd",
	"sinew_msgs/msg/HilError":       "RIHS01_2b5a84977ad0c42ece3d14756370099651ee2d28d9cd563834253558ec0efdfd",
	"sinew_msgs/msg/NamedValues":    "RIHS01_dca6054aab24ffad9b101eb523737f8aeb6c82a17e768c147717583814c863ae",
	"sinew_msgs/msg/OperatingState": "RIHS01_7f7542012869f8d7a0d9de7ef81e8353fcdb9d93b12629f2765213f8db14b55d",
	"sinew_msgs/msg/RecordingState": "RIHS01_2ae9d95765d17f7ff66f45548e79b374f00faa037c314495579fdf48ad5911a5",
	"sinew_msgs/msg/RotatingField":  "RIHS01_649b71cc601aa7135ef89329bcbfd68afcda5a0bf27679c88d7523f011ee4bf5",
	"sinew_msgs/msg/Scene":          "RIHS01_b02120f1bb445407af4768f4d4a2783df747e92b212bdd9e43439ac16d0df5c9",
	"sinew_msgs/msg/SceneShapes":    "RIHS01_1a28eb734054f16f289854364845487026c68b4270332c8bc7a38d50a30411ae",
	"sinew_msgs/msg/SimStats":       "RIHS01_e086fc0b801319ac9ef045c96a4486cb2484b3abfa84314690427f2db5e633a7",
	"sinew_msgs/srv/Step_Request":   "RIHS01_4c1d93c285a1750de93cd23fd03cdbd6ba019c49a7896a5aa53f0e9d01bc6e50",
	"sinew_msgs/srv/Step_Response":  "RIHS01_9266a61700679ecf581dddd8dd42c5a85866bff6bec9df7fbe40e213b890f231",
}

func TestTypeHashes(t *testing.T) {
	if n := len(cdr.types()); n != len(hashesROS2)+len(hashesOwn) {
		t.Errorf("%d types, want %d", n, len(hashesROS2)+len(hashesOwn))
	}
	for _, typ := range cdr.types() {
		want := hashesROS2[typ.ROS2Name]
		if strings.HasPrefix(typ.Name, "sinew_msgs/") {
			want = hashesOwn[typ.ROS2Name]
		}
		if typ.Hash != want {
			t.Errorf("%s: got %s, want %q", typ.ROS2Name, typ.Hash, want)
		}
	}
}

// TestROS2Names checks the names of a message and of half a service, and the
// pattern that all follow.
func TestROS2Names(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{geometry_msgs.PoseStampedType.ROS2Name, "geometry_msgs/msg/PoseStamped"},
		{geometry_msgs.PoseStampedType.DDSName, "geometry_msgs::msg::dds_::PoseStamped_"},
		{std_srvs.TriggerRequestType.ROS2Name, "std_srvs/srv/Trigger_Request"},
		{std_srvs.TriggerRequestType.DDSName, "std_srvs::srv::dds_::Trigger_Request_"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
	ros2Name := regexp.MustCompile(`^([a-z0-9_]+)/(msg|srv)/([A-Za-z0-9]+(?:_Request|_Response)?)$`)
	for _, typ := range cdr.types() {
		p := ros2Name.FindStringSubmatch(typ.ROS2Name)
		if p == nil || typ.DDSName != p[1]+"::"+p[2]+"::dds_::"+p[3]+"_" || typ.Name != p[1]+"/"+strings.ReplaceAll(p[3], "_", "") {
			t.Errorf("%s, %s, %s do not match", typ.Name, typ.ROS2Name, typ.DDSName)
		}
	}
}

// TestSchema compares one schema with its text; TestFoxglove has an independent
// parser read all of them.
func TestSchema(t *testing.T) {
	rule := strings.Repeat("=", 80) + "\n"
	want := "std_msgs/Header header\ngeometry_msgs/Point point\n" +
		rule + "MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n" +
		rule + "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n" +
		rule + "MSG: geometry_msgs/Point\nfloat64 x\nfloat64 y\nfloat64 z\n"
	if got := geometry_msgs.PointStampedType.Schema; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
